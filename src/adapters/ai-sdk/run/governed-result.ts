import type { Breach, Meter, Status } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { ApprovalRequest } from './open-approvals.ts'
import type { ResumeOptions } from './resume-options.ts'

/** The result of a run, as data. */
export interface GovernedResult {
  readonly status: Extract<Status, 'completed' | 'limit-reached' | 'timed-out' | 'paused' | 'stopped' | 'failed'>
  /** The answer of a completed run: its structured output if the agent has one, otherwise its text. */
  readonly output: unknown
  /** What a run that did not complete has produced: its closing answer, or its model's last text. */
  readonly partialOutput: string | null
  /** The limit that ended or paused it. */
  readonly breach: Breach | null
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  /** The conversation so far, as AI SDK messages, including those it started with. */
  readonly messages: readonly unknown[]
  /** The tool calls of a paused run that wait for approval. */
  readonly approvals: readonly ApprovalRequest[]
  /** A tool with side effects was stopped, perhaps halfway. */
  readonly mayBeHalfDone: boolean
  /** Why it failed, or was stopped. */
  readonly error: unknown
  /** The name of the run within its scope, to tell several paused ones apart. */
  readonly run: string
  /** Continues a paused run, once, with its original settings; `null` if it is not paused. */
  readonly resume: ((options?: ResumeOptions) => Promise<GovernedResult>) | null
}
