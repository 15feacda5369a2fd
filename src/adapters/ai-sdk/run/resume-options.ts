/** How a run is run. */
export interface RunOptions {
  /** Whether a run that does not complete is thrown: `LimitExceededError`, or what it failed of. Default: no. */
  readonly throws?: boolean
  /** Whether the scope is closed when the last of its runs has ended. Default: yes. */
  readonly close?: boolean
}

/** How a paused run goes on. */
export interface ResumeOptions extends RunOptions {
  /** Who resumes it, for the records. */
  readonly by?: string
  /** Which run goes on, where several of one scope are paused: the name in its result. */
  readonly run?: string
  /** What is added to its conversation: the answers to its approval requests, or whatever it is to know. */
  readonly messages?: readonly unknown[]
  /**
   * Which conversation it goes on with, for whoever keeps one as well: it is given the one that was saved, or `null` where
   * none was, because the process died at work and not in a pause. Default: the saved one.
   */
  readonly conversation?: (saved: readonly unknown[] | null) => readonly unknown[]
  /** Called when the run is this one's to go on with, and nothing is spent yet. Where it throws, the run stands again. */
  readonly onClaimed?: () => Promise<void>
  readonly abortSignal?: AbortSignal
  readonly stream?: boolean | ((part: unknown) => void)
  /** Everything else that the agent's `generate` and `stream` take. */
  readonly [setting: string]: unknown
}
