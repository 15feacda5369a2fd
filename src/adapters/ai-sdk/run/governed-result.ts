import type { Breach, Meter, Status } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { ApprovalRequest } from './open-approvals.ts'
import type { ResumeOptions } from './resume-options.ts'

/** What became of a run, as data. */
export interface GovernedResult {
  readonly status: Extract<Status, 'completed' | 'limit-reached' | 'timed-out' | 'paused' | 'stopped' | 'failed'>
  /** The answer of a run that is completed: its structured output where the agent has one, else its text. */
  readonly output: unknown
  /** What a run that did not complete has to show: its closing answer, or the last text of its model. */
  readonly partialOutput: string | null
  /** The limit that ended or paused it. */
  readonly breach: Breach | null
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  /** The conversation so far, in the messages of the AI SDK: what it was begun with, and what came after. */
  readonly messages: readonly unknown[]
  /** The tool calls that a paused run waits for somebody to allow. */
  readonly approvals: readonly ApprovalRequest[]
  /** A tool that changes things was stopped, perhaps half way. */
  readonly mayBeHalfDone: boolean
  /** Why it failed, or was stopped. */
  readonly error: unknown
  /** The name of the run among those of its scope: which one is meant, where several are paused. */
  readonly run: string
  /** Goes on with a paused run, once, with the settings that it was run with; `null` for every other. */
  readonly resume: ((options?: ResumeOptions) => Promise<GovernedResult>) | null
}
