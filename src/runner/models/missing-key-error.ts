import { StintError } from '../../core/index.ts'

/** The key of a provider is not there. No value of a key is ever in the message. */
export class MissingKeyError extends StintError {
  readonly model: string
  /** Where it was looked for; the first one leads. */
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
