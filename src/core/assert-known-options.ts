import { InvalidOptionError } from './invalid-option-error.ts'
import { StintError } from './stint-error.ts'
import { suggestName } from './suggest-name.ts'

/** The names of all options of one function. */
export type OptionNames<Options> = ReadonlySet<string> & { readonly of?: Options }

/** Lists the options of a function. Every one must be listed, so that a new option cannot be forgotten. */
export function optionNames<Options>(names: Readonly<Record<keyof Options, true>>): OptionNames<Options> {
  return new Set(Object.keys(names))
}

/** An option that a function does not have. Ignored, a misspelled limit would mean "unlimited". */
export class UnknownOptionError extends StintError {
  /** The function or object that it was given to, e.g. `governor.open`. */
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
 * Throws `UnknownOptionError` for an option that is not among `known`, and `InvalidOptionError` for what is no object at
 * all. One that is `undefined` says nothing, so its name does not matter.
 */
export function assertKnownOptions<Options extends object>(
  place: string,
  options: Options,
  known: OptionNames<Options>,
): void {
  if (!isOptionsObject(options)) throw new InvalidOptionError(`The options of ${place}`, options, formOf(known))
  for (const name in options) {
    if (!known.has(name) && options[name] !== undefined) throw new UnknownOptionError(place, name, [...known])
  }
}

// A list or a Map has none of the fields that are read, so that everything in it would be lost.
function isOptionsObject(options: unknown): boolean {
  return typeof options === 'object' && options !== null && !(Symbol.iterator in options)
}

function formOf(known: ReadonlySet<string>): string {
  return `an object, e.g. { ${[...known][0] ?? ''}: … }`
}
