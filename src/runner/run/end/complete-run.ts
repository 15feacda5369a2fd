import type { AnyAgent } from '../../../adapters/ai-sdk/index.ts'
import { type Breach, isPlainObject } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import { acceptanceCheck } from '../../acceptance/acceptance-check.ts'
import { findReport } from '../../acceptance/find-report.ts'
import { unjudged } from '../../acceptance/judge-work.ts'
import type { AnswerCheck, Findings, SaidAnswer, Verdict } from '../checks/answer-check.ts'
import { completionCheck } from '../checks/completion-check.ts'
import { schemaCheck } from '../checks/schema-check.ts'
import { type CheckName, createSentBack, type SentBack, type SentBackBy } from '../checks/sent-back.ts'
import type { RunTools } from '../run-tools.ts'
import { MOST_STEPS, type RunParts } from '../work-on-run.ts'
import type { Answer } from './answer.ts'
import { askAgain } from './ask-again.ts'

// Ten attempts, each with every finalization turn that a contract can have.
const MOST_ROUNDS = 200

/**
 * Takes a run from its first answer to the one that counts. An answer that a check refuses goes back to the agent with
 * the reasons, in the same conversation and under the same limits, as often as that check allows. If the contract then
 * rejects the work, it is tried again while attempts are left; otherwise the run fails.
 */
export async function completeRun(
  parts: RunParts,
  agent: AnyAgent,
  tools: RunTools,
  first: Answer,
): Promise<Answer & Findings> {
  const sentBack = createSentBack(parts.log.files.transcript)
  const checks = checksOf(parts, tools)
  let findings: Findings = {}
  let answer = first
  // The last text that was more than a report.
  let text = ''
  for (let round = 0; round < MOST_ROUNDS; round++) {
    answer = handedIn(tools, answer)
    if (answer.status !== 'completed') return { ...answer, ...unfinished(parts, sentBack, findings) }
    const said = saidIn(parts, answer, text)
    text = said.text
    const { verdict, by, found } = await firstRefusal(checks, said, sentBack)
    findings = { ...findings, ...found }
    if (verdict.kind === 'passed') return accepted(answer, text, findings)
    if (verdict.kind === 'interrupted') return { ...ended(answer, verdict, text), ...found }
    const next = nextRound(verdict, by, checks, sentBack, parts.saved.agent.attempts ?? 1)
    if (next === null) {
      const end = by === 'acceptance' ? rejected(found) : unfinished(parts, sentBack, findings)
      return { ...answer, status: 'failed', output: null, partialOutput: text, error: verdict.error, ...end }
    }
    sentBack.add(next.by)
    const again = await askAgain(parts, agent, answer.messages, next.text, next.by)
    // The guard is only advice. Anything else is fixed when the run continues.
    if (again === null && by === 'completion') return accepted(answer, text, findings)
    if (again === null) {
      const breach = edgeOf(parts.scope).end().pausedBy?.[0] ?? null
      return { ...ended(answer, { status: 'paused', breach }, text), ...unfinished(parts, sentBack, findings) }
    }
    answer = { ...again, partialOutput: again.status === 'completed' ? null : (again.partialOutput ?? text) }
  }
  throw new Error(`An answer was sent back ${MOST_ROUNDS} times.`)
}

function checksOf(parts: RunParts, tools: RunTools): readonly AnswerCheck[] {
  const { agent, outputSchema = null, acceptance = null } = parts.saved
  return [
    completionCheck(parts.saved, tools),
    // Runs of older versions have no attempts.
    ...(outputSchema === null ? [] : [schemaCheck(outputSchema, agent.attempts ?? 1)]),
    ...(acceptance === null ? [] : [acceptanceCheck(parts, acceptance, tools)]),
  ]
}

/** A result handed in with `submit` is the answer. A loop that ended otherwise after a tool call has none. */
function handedIn({ delegates }: RunTools, answer: Answer): Answer {
  const submission = delegates.takeSubmission()
  if (answer.status !== 'completed') return answer
  if (submission !== null) return { ...answer, output: submission }
  const last = answer.messages.at(-1) as { readonly role?: unknown } | undefined
  if (last?.role !== 'tool') return answer
  const message = `It did not finish within ${MOST_STEPS} steps, and none of its limits ends it. Set one, e.g. toolCalls.`
  return { ...answer, status: 'failed', output: null, error: new Error(message) }
}

/** An answer that only contains a report keeps the text of the previous answer. */
function saidIn({ saved }: RunParts, { output, messages }: Answer, before: string): SaidAnswer {
  const whole = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
  if (!saved.acceptance) return { text: whole, report: null, messages }
  const { rest, report } = findReport(whole)
  if (rest.trim() !== '') return { text: rest, report, messages }
  return { text: before === '' ? earlierAnswer(messages) : before, report, messages }
}

/** The last answer of an earlier process that called no tool and was more than a report. */
function earlierAnswer(messages: readonly unknown[]): string {
  for (const message of messages.slice(0, -1).toReversed()) {
    if (!isPlainObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) continue
    const { content } = message
    const isAnswer = content.every(({ type }) => type !== 'tool-call')
    const words = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('')
    const { rest } = findReport(words)
    if (isAnswer && rest.trim() !== '') return rest
  }
  return ''
}

async function firstRefusal(
  checks: readonly AnswerCheck[],
  said: SaidAnswer,
  sentBack: SentBack,
): Promise<{ readonly verdict: Verdict; readonly by: CheckName; readonly found: Findings }> {
  let found: Findings = {}
  for (const { name, check } of checks) {
    const verdict = await check(said, sentBack)
    found = { ...found, ...verdict.findings }
    if (verdict.kind !== 'passed') return { verdict, by: name, found }
  }
  return { verdict: { kind: 'passed' }, by: 'completion', found }
}

/** The next message to the agent, and what it counts as; `null`: none. */
function nextRound(
  verdict: Extract<Verdict, { readonly kind: 'refused' | 'rejected' }>,
  by: CheckName,
  checks: readonly AnswerCheck[],
  sentBack: SentBack,
  attempts: number,
): { readonly text: string; readonly by: SentBackBy } | null {
  const tries = checks.find(({ name }) => name === by)?.tries ?? 0
  if (verdict.kind === 'refused' && sentBack.by(by) < tries) return { text: verdict.text, by }
  const attempt = sentBack.attempts() + 1
  if (by !== 'acceptance' || attempt >= attempts) return null
  const reasons = `${verdict.error.message}\n\nTry again from what is there, in another way.`
  return { text: `Your answer was not accepted (attempt ${attempt} of ${attempts}). ${reasons}`, by: 'attempt' }
}

function accepted(answer: Answer, text: string, findings: Findings): Answer & Findings {
  const { structured, acceptance } = findings
  if (structured !== undefined) return { ...answer, output: JSON.stringify(structured, null, 2), ...findings }
  return acceptance === undefined ? answer : { ...answer, output: text, ...findings }
}

function ended(
  answer: Answer,
  { status, breach }: { readonly status: Answer['status']; readonly breach: Breach | null },
  partialOutput: string,
): Answer {
  return { ...answer, status, output: null, partialOutput, breach }
}

/** Work that was ended before it could be judged, or judged again, is `claimed`. */
function unfinished({ saved: { acceptance = null } }: RunParts, sentBack: SentBack, findings: Findings): Findings {
  if (acceptance === null) return {}
  const known = findings.acceptance ?? unjudged(acceptance, 0)
  return { acceptance: { ...known, status: 'claimed', finalizationTurns: sentBack.inAll('acceptance') } }
}

function rejected({ acceptance }: Findings): Findings {
  return acceptance === undefined ? {} : { acceptance: { ...acceptance, status: 'rejected' } }
}
