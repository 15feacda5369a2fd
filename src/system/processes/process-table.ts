/** One process, as far as it matters to whom it belongs. */
export interface ProcessEntry {
  readonly pid: number
  readonly parentPid: number
  readonly groupId: number
  /** `null` where the platform does not tell. */
  readonly sessionId: number | null
  /** When it was started: a pid is given again to others, and they must not be hit. */
  readonly start: string
}

/** The living processes of this user. */
export interface ProcessTable {
  /** Never throws; a zombie is no living process. */
  list(): readonly ProcessEntry[]
  /** One of them; `null` if there is none. */
  look(pid: number): ProcessEntry | null
  /** The value of a variable that the process was started with; `null` if it has none, or it cannot be seen. */
  variableOf(pid: number, name: string): string | null
}
