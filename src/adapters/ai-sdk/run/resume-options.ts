/** How a run is run. */
export interface RunOptions {
  /** Whether a run that does not complete is thrown: `LimitExceededError`, or what it failed of. Default: no. */
  readonly throws?: boolean
  /** Whether the scope is closed when the run has ended. Default: yes. */
  readonly close?: boolean
}

/** How a paused run goes on. */
export interface ResumeOptions extends RunOptions {
  /** Who resumes it, for the records. */
  readonly by?: string
  readonly abortSignal?: AbortSignal
  readonly stream?: boolean | ((part: unknown) => void)
}
