/** What is needed to know which run a process belongs to. */
export interface ProcessEntry {
  readonly pid: number
  readonly parentPid: number
  readonly groupId: number
  /** `null` if the platform doesn't tell. */
  readonly sessionId: number | null
  /** When it was started, since pids are reused. */
  readonly start: string
}

/** The running processes of this user. */
export interface ProcessTable {
  /** Without zombies. Never throws. */
  list(): readonly ProcessEntry[]
  /** One of them; `null` if there is none. */
  look(pid: number): ProcessEntry | null
  /** A variable of the process's initial environment; `null` if it is not set, or cannot be read. */
  variableOf(pid: number, name: string): string | null
}
