import { StintError } from '../stint-error.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { suggestName } from './suggest-name.ts'

/** The names of all options of one function. */
export type OptionNames<Options> = ReadonlySet<string> & { readonly of?: Options }

/** Lists the options of a function. The type requires every one, so a new option can't be forgotten. */
export function optionNames<Options>(names: Readonly<Record<keyof Options, true>>): OptionNames<Options> {
  return new Set(Object.keys(names))
}

/** An unknown option. If it were ignored, a misspelled limit would mean "unlimited". */
export class UnknownOptionError extends StintError<'invalid_option'> {
  /** The function or object that received it, e.g. `governor.open`. */
  readonly place: string
  readonly option: string
  readonly suggestion: string | null

  constructor(place: string, option: string, known: readonly string[]) {
    const suggestion = suggestName(option, known)
    const hint =
      suggestion === null ? `The options are ${known.join(', ')}.` : `Did you mean ${JSON.stringify(suggestion)}?`
    super('invalid_option', `${place} has no option ${JSON.stringify(option.slice(0, 80))}. ${hint}`)
    this.place = place
    this.option = option
    this.suggestion = suggestion
  }
}

/**
 * Throws `UnknownOptionError` for an option that isn't among `known`, and `InvalidOptionError` if `options` isn't an
 * object. Options that are `undefined` are ignored.
 */
export function assertKnownOptions<Options extends object>(
  place: string,
  options: Options,
  known: OptionNames<Options>,
): void {
  // A list or a Map has none of the expected fields, so everything in it would be lost.
  const isObject = typeof options === 'object' && options !== null && !(Symbol.iterator in options)
  if (!isObject) throw new InvalidOptionError(`The options of ${place}`, options, formOf(known))
  for (const name in options) {
    if (!known.has(name) && options[name] !== undefined) throw new UnknownOptionError(place, name, [...known])
  }
}

function formOf(known: ReadonlySet<string>): string {
  return `an object, e.g. { ${[...known][0] ?? ''}: … }`
}
