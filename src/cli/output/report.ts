/** What a command has to say. Only one of `json` and `text` is shown. */
export interface Report {
  /** `null`: it has been shown already, when the work began. */
  readonly json: object | null
  /** `null`: nothing, because what ran has had its say. */
  readonly text: string | null
  /** What is not part of the answer, for people: shown on stderr. */
  readonly notices?: readonly string[]
  /** 1: the command worked, and what it found is not well; `exec` has more. Default 0. */
  readonly exitCode?: number
}
