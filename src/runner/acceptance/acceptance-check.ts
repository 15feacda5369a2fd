import type { Acceptance } from '../../agents/index.ts'
import type { AnswerCheck } from '../run/checks/answer-check.ts'
import type { RunTools } from '../run/run-tools.ts'
import type { RunParts } from '../run/work-on-run.ts'
import { judgeWork } from './judge-work.ts'
import { sendBackText } from './send-back-text.ts'

const LONGEST_REASON = 1_000

/** Judges an answer by the run's contract, and sends it back while it has turns left. */
export function acceptanceCheck(parts: RunParts, contract: Acceptance, { delegates }: RunTools): AnswerCheck {
  const hasSchema = Boolean(parts.saved.outputSchema)
  const { maxFinalizationTurns } = contract
  return {
    name: 'acceptance',
    tries: maxFinalizationTurns,
    async check({ text, report }, sentBack) {
      // Agents that still work on it would change what is judged.
      await delegates.endBackground()
      const { acceptance, outcome } = await judgeWork(parts, contract, { answer: text, report, sentBack })
      await parts.log.note('acceptance', { acceptance })
      if (outcome.kind === 'accepted') return { kind: 'passed', findings: { acceptance } }
      if (outcome.kind === 'interrupted') return { ...outcome, findings: { acceptance } }
      const reasons = acceptance.problems.map((problem) => problem.split('\n', 1)[0]!)
      const error = new Error(`Acceptance rejected: ${oneLine(reasons).slice(0, LONGEST_REASON)}`)
      if (!outcome.canBeRepaired) return { kind: 'rejected', error, findings: { acceptance } }
      const turn = sentBack.by('acceptance') + 1
      const asked = sendBackText(contract, acceptance.problems, turn, hasSchema)
      return { kind: 'refused', text: asked, error, findings: { acceptance } }
    },
  }
}

/** Reasons are sentences or end with a command, so no full stop is added. */
function oneLine(reasons: readonly string[]): string {
  return reasons.map((reason, place) => (place < reasons.length - 1 ? reason.replace(/\.$/u, '') : reason)).join('; ')
}
