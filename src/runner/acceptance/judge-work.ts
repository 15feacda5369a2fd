import type { Acceptance } from '../../agents/index.ts'
import type { Breach } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { SentBack } from '../run/checks/sent-back.ts'
import type { RunStatus } from '../run/end/run-result.ts'
import type { RunParts } from '../run/work-on-run.ts'
import type { AcceptanceReport, AcceptanceResult, AcceptanceStatus } from './acceptance-result.ts'
import { checkFiles } from './check-files.ts'
import { checkReport, criteriaOf } from './check-report.ts'
import { needsReport } from './contract-text.ts'
import { readReport } from './read-report.ts'
import { reviewProblems, reviewWork } from './review-work.ts'
import { verifyProblems, verifyWork } from './verify-work.ts'

/** The work to judge. */
export interface Work {
  /** The answer without the report. */
  readonly answer: string
  /** The text of the report; `null` if there is none. */
  readonly report: string | null
  readonly sentBack: SentBack
}

/** The outcome. */
export interface Judged {
  readonly acceptance: AcceptanceResult
  readonly outcome:
    | { readonly kind: 'accepted' }
    | { readonly kind: 'refused'; readonly canBeRepaired: boolean }
    /** The run ended or was paused in the meantime. */
    | { readonly kind: 'interrupted'; readonly status: RunStatus; readonly breach: Breach | null }
}

type Outcome = Judged['outcome']

/**
 * Checks work against its contract, from the cheapest check to the most expensive, and stops at the first failure: the
 * report, what files say about it, the commands, the reviewer. Checks that were not reached are not claimed.
 */
export async function judgeWork(parts: RunParts, contract: Acceptance, work: Work): Promise<Judged> {
  const { saved, scope, log, context } = parts
  const { env, furtherKeys } = context
  let state: AcceptanceResult = unjudged(contract, work.sentBack.inAll('acceptance'))
  const end = (outcome: Outcome, change: Partial<AcceptanceResult> = {}): Judged => {
    return { acceptance: { ...state, ...change }, outcome }
  }
  const refuse = (problems: readonly string[], change: Partial<AcceptanceResult> = {}, canBeRepaired = true): Judged =>
    end({ kind: 'refused', canBeRepaired }, { ...change, problems })
  const reach = (status: AcceptanceStatus, change: Partial<AcceptanceResult> = {}): void => {
    state = { ...state, ...change, status }
  }

  try {
    let report: AcceptanceReport | null = null
    if (needsReport(contract)) {
      const read =
        work.report === null ? 'There is no acceptance-report block in your answer.' : readReport(work.report)
      if (typeof read === 'string') return refuse([read])
      report = read.report
      if (read.problems.length > 0) return refuse(read.problems, { report })
      const checked = checkReport(contract, report)
      reach('attested', { report, criteria: checked.criteria })
      const { workingFolder, startedAtMs } = saved
      const files = await checkFiles(contract, report, { workingFolder, startedAtMs, env, signal: scope.signal })
      const problems = [...checked.problems, ...files]
      if (problems.length > 0) return refuse(problems)
      reach('checked')
    }

    if (contract.verify.length > 0) {
      const verify = await verifyWork(contract.verify, { saved, scope, log, env, furtherKeys })
      const problems = verifyProblems(verify, contract.verify)
      if (problems.length > 0) return refuse(problems, { verify })
      reach('verified', { verify })
    }

    if (contract.review !== null) {
      const { answer, sentBack } = work
      const order = contract.review
      log.report({ kind: 'checking', message: `review by ${order.agent}` })
      const reviewer = saved.reviewer!
      const job = {
        context,
        saved,
        scope,
        order,
        reviewer,
        round: sentBack.total(),
        answer,
        report,
        verify: state.verify,
      }
      const { result: review, outerBreach, isPaused } = await reviewWork(job)
      const problems = reviewProblems(review)
      scope.signal.throwIfAborted()
      if (outerBreach !== null) return end(endedBy(parts, outerBreach), { review })
      // When the run is resumed, it resumes the review.
      if (isPaused && order.required) {
        if (scope.status() !== 'paused') await scope.pause({ reason: `${order.agent} (${review.id}) is paused` })
        return end({ kind: 'interrupted', status: 'paused', breach: null }, { review })
      }
      if (problems.length === 0) reach('reviewed', { review })
      else if (!order.required) reach(state.status, { review })
      // The agent cannot fix a review that failed.
      else return refuse(problems, { review }, review.verdict === 'rejected')
    }
    return end({ kind: 'accepted' })
  } catch (error) {
    if (!scope.signal.aborted) throw error
    return end(interruption(parts))
  }
}

/** The result before or without any judgement. */
export function unjudged(contract: Acceptance, finalizationTurns: number): AcceptanceResult {
  const verify = contract.verify.map(({ id, command, allowFailure }) => {
    return { id, command, status: 'not-run', allowFailure, exitCode: null, durationMs: 0, output: '' } as const
  })
  const criteria = criteriaOf(contract, null)
  return { status: 'claimed', criteria, verify, review: null, report: null, problems: [], finalizationTurns }
}

/** A limit above the reviewer ends the run itself, or has paused it. */
function endedBy({ scope }: RunParts, breach: Breach): Outcome {
  if (scope.status() === 'paused' || breach.action === 'pause') return { kind: 'interrupted', status: 'paused', breach }
  return { kind: 'interrupted', status: breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached', breach }
}

function interruption(parts: RunParts): Outcome {
  const { scope } = parts
  const { breaches } = edgeOf(scope).end()
  const [breach = null] = breaches ?? []
  if (breach !== null) return endedBy(parts, breach)
  return { kind: 'interrupted', status: scope.status() === 'failed' ? 'failed' : 'stopped', breach: null }
}
