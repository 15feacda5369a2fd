import type { Severity } from '../../agents/index.ts'
import { isPlainObject, type Status } from '../../core/index.ts'

/**
 * How far the acceptance of a run got. `claimed`: the agent says that it is done, or was ended before it could.
 * `attested`: it has reported. `checked`: the report has what the contract asks for. `verified`: the commands
 * succeeded. `reviewed`: the reviewer accepts it. `rejected`: not accepted, and no turns are left.
 */
export type AcceptanceStatus = 'claimed' | 'attested' | 'checked' | 'verified' | 'reviewed' | 'rejected'

/** What the agent reports about one criterion. */
export interface CriterionResult {
  readonly id: string
  readonly must: string
  readonly severity: Severity
  /** `unknown`: the agent has not reported it. */
  readonly status: 'satisfied' | 'not-satisfied' | 'not-applicable' | 'unknown'
  readonly evidence: string | null
}

/** The result of one command. */
export interface VerifyResult {
  readonly id: string
  readonly command: string
  readonly status: 'passed' | 'failed' | 'timed-out' | 'not-run'
  readonly allowFailure: boolean
  /** `null` if a signal ended it, or it was not run. */
  readonly exitCode: number | null
  readonly durationMs: number
  /** The end of its output. */
  readonly output: string
}

/** The reviewer's verdict. */
export interface ReviewResult {
  readonly agent: string
  /** The id of its run, and of its scope. */
  readonly id: string
  readonly required: boolean
  /** How its run ended; `null` if it could not be started. */
  readonly status: Status | null
  /** `null`: no verdict. */
  readonly verdict: 'accepted' | 'rejected' | null
  readonly findings: readonly string[]
  /** Why there is no verdict. */
  readonly error: string | null
}

/** The report of an agent, with the fields that were valid. */
export interface AcceptanceReport {
  readonly criteriaSatisfied?: readonly {
    readonly id: string
    readonly status: 'satisfied' | 'not-satisfied' | 'not-applicable'
    readonly evidence: string
  }[]
  readonly changedFiles?: readonly string[]
  readonly testsAddedOrUpdated?: readonly string[]
  readonly commandsRun?: readonly {
    readonly command: string
    readonly result: 'passed' | 'failed' | 'not-run'
    readonly summary: string
  }[]
  readonly validationOutput?: readonly string[]
  readonly residualRisks?: readonly string[]
  readonly noStagedFiles?: boolean
  readonly diffSummary?: string
  readonly reviewFindings?: readonly string[]
  readonly manualNotes?: string
}

/** The outcome of a run's acceptance. */
export interface AcceptanceResult {
  readonly status: AcceptanceStatus
  readonly criteria: readonly CriterionResult[]
  readonly verify: readonly VerifyResult[]
  /** `null`: it was not reviewed. */
  readonly review: ReviewResult | null
  /** The last one; `null` if there was none that could be read. */
  readonly report: AcceptanceReport | null
  /** Why it is not accepted. */
  readonly problems: readonly string[]
  /** How often it was sent back. */
  readonly finalizationTurns: number
}

/** Whether a note is an acceptance result. Only Stint writes it, so checking the first fields is enough. */
export function isAcceptanceResult(value: unknown): value is AcceptanceResult {
  return isPlainObject(value) && typeof value.status === 'string' && Array.isArray(value.problems)
}
