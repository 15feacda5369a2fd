/** The output of a command. Only one of `json` and `text` is shown; as functions, only that one is computed. */
export interface Report {
  /** `null`: it was already shown. */
  readonly json: object | (() => object) | null
  /** `null`: the command has printed its own output. */
  readonly text: string | (() => string) | null
  /** Remarks on stderr. */
  readonly notices?: readonly string[]
  /** 1: the command worked, but found problems; `exec` has more codes. Default 0. */
  readonly exitCode?: number
}
