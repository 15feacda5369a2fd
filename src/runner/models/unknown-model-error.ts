import { StintError, showValue } from '../../core/index.ts'

/** A model that nobody knows, by the name that it was given. */
export class UnknownModelError extends StintError {
  readonly model: string
  readonly suggestion: string | null

  /** `reason` is a sentence, and `remedy` another. */
  constructor(model: string, reason: string, remedy: string, suggestion: string | null = null) {
    const meant = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
    super('unknown_model', `The model ${showValue(model)} cannot be used: ${reason}.${meant} ${remedy}`)
    this.model = model
    this.suggestion = suggestion
  }
}
