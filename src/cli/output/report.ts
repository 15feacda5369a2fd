/** What a command has to say. Only one of `json` and `text` is shown, and only that one is made where it is a function. */
export interface Report {
  /** `null`: it was shown already, when the work began. */
  readonly json: object | (() => object) | null
  /** `null`: there is nothing to show, because what ran has written its own output. */
  readonly text: string | (() => string) | null
  /** What is not part of the answer, for people: shown on stderr. */
  readonly notices?: readonly string[]
  /** 1: the command worked, and what it found is not well; `exec` has more. Default 0. */
  readonly exitCode?: number
}
