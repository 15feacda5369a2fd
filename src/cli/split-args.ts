// The program's flags with a value, which must not be taken for a command.
const WITH_VALUE = ['--store', '--config', '--by']

/** A command line in two: our own flags, and the command that `stint exec` runs. */
export interface SplitArgs {
  readonly own: readonly string[]
  /** What comes after `--` of `stint exec`; `null` for every other command. */
  readonly rest: readonly string[] | null
}

/** Separates the command of `stint exec` from our own flags before those are parsed. */
export function splitArgs(args: readonly string[]): SplitArgs {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  if (commandIn(own) !== 'exec') return { own: args, rest: null }
  return { own: withJsonLast(own), rest: end === -1 ? [] : args.slice(end + 1) }
}

/**
 * `stint --json exec` and `stint exec --json -` mean `stint exec … --json`: the flag of `exec` can name a file, and in
 * last place it names none.
 */
function withJsonLast(own: readonly string[]): readonly string[] {
  const place = own.indexOf('exec')
  const isBefore = (index: number): boolean => index < place && own[index] === '--json'
  const isOutput = (index: number): boolean => own[index] === '--json' && own[index + 1] === '-'
  const others = own.filter(
    (arg, index) => !isBefore(index) && !isOutput(index) && !isOutput(index - 1) && arg !== '--json=-',
  )
  return others.length === own.length ? own : [...others, '--json']
}

/** The name of the command; `null` if there is none. */
export function commandIn(args: readonly string[]): string | null {
  const isValue = (index: number): boolean => WITH_VALUE.includes(args[index - 1] ?? '')
  return args.find((arg, index) => !arg.startsWith('-') && !isValue(index)) ?? null
}
