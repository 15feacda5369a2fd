/** A provider's refusal. Not a `StintError`, since it comes from outside. */
export class ScriptedModelError extends Error {
  /** The HTTP status. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ScriptedModelError'
    this.status = status
  }
}
