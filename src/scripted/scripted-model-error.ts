/** What a provider says no with. Not a `StintError`: to us it comes from outside. */
export class ScriptedModelError extends Error {
  /** As of HTTP. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ScriptedModelError'
    this.status = status
  }
}
