import { StintError } from '../../core/index.ts'

/** A provider's key is missing. The message never contains the value of a key. */
export class MissingKeyError extends StintError<'missing_key'> {
  readonly model: string
  /** The variables that were checked, in order of precedence. */
  readonly variables: readonly string[]

  constructor(model: string, variables: readonly string[], fault = 'is not set') {
    const [first, ...others] = variables
    const or = others.length === 0 ? '' : ` (or ${others.join(', ')})`
    super(
      'missing_key',
      `The model ${model} needs a key, but the environment variable ${first}${or} ${fault}. ` +
        `Set ${first}, or choose another model: --model PROVIDER/MODEL, or models: { default: … } in the config.`,
    )
    this.model = model
    this.variables = variables
  }
}
