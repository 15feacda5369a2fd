/** What a command has to say. Only one of `json` and `text` is shown. */
export interface Report {
  readonly json: object
  readonly text: string
  /** What is not part of the answer, for people: shown on stderr. */
  readonly notices?: readonly string[]
  /** 1: the command worked, and what it found is not well. Default 0. */
  readonly exitCode?: 0 | 1
}
