import { StintError, showValue } from '../../core/index.ts'

/** A model name that cannot be resolved. */
export class UnknownModelError extends StintError<'unknown_model'> {
  readonly model: string
  readonly suggestion: string | null

  /** `reason` is a clause, `remedy` a sentence. */
  constructor(model: string, reason: string, remedy: string, suggestion: string | null = null) {
    const meant = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
    super('unknown_model', `The model ${showValue(model)} cannot be used: ${reason}.${meant} ${remedy}`)
    this.model = model
    this.suggestion = suggestion
  }
}

/** A script decides what an agent does, so an untrusted folder must not name one. */
export function untrustedScript(name: string, place: string): UnknownModelError {
  const reason = `an untrusted file names a script to replace the model (${place})`
  return new UnknownModelError(
    name,
    reason,
    `Trust the folder (stint trust), or name the script yourself: --model ${name}.`,
  )
}
