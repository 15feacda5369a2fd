/** The options of a run. */
export interface RunOptions {
  /** Whether a run that does not complete throws: `LimitExceededError`, or the error it failed with. Default: no. */
  readonly throws?: boolean
  /** Whether the scope is closed when the last of its runs has ended. Default: yes. */
  readonly close?: boolean
}

/** The options of resuming a run. */
export interface ResumeOptions extends RunOptions {
  /** Who resumes it, for the records. */
  readonly by?: string
  /** Which run to resume, if several runs of one scope are paused: the name in its result. */
  readonly run?: string
  /** Messages added to its conversation: the answers to its approval requests, or anything else it should know. */
  readonly messages?: readonly unknown[]
  /**
   * Chooses the conversation to continue with, for callers that store one themselves. Receives the saved one, or `null`
   * if none was saved because the process died while working. Default: the saved one.
   */
  readonly conversation?: (saved: readonly unknown[] | null) => readonly unknown[]
  /**
   * Called once this caller has claimed the run, before anything is spent. May resolve to another conversation to continue
   * with. If it throws, the run is paused again.
   */
  readonly onClaimed?: () => Promise<unknown>
  readonly abortSignal?: AbortSignal
  readonly stream?: boolean | ((part: unknown) => void)
  /** All other settings of the agent's `generate` and `stream`. */
  readonly [setting: string]: unknown
}
