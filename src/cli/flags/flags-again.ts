import type { Command, Option } from 'commander'

// Its value may have a password in it, and arguments are seen by every user of the machine.
const STORE = '--store'

/** The flags of a command, for another `stint` process, except the store and those that are named. */
export function flagsAgain(command: Command, without: readonly string[]): readonly string[] {
  const own = [...command.options, ...(command.parent?.options ?? [])]
  const values = command.optsWithGlobals<Record<string, unknown>>()
  const sourceOf = (option: Option): string | undefined =>
    command.getOptionValueSourceWithGlobals(option.attributeName()) ?? undefined
  return own.flatMap((option) => {
    const { long } = option
    if (long === null || long === undefined || long === STORE) return []
    if (without.includes(long) || sourceOf(option) !== 'cli') return []
    return textsOf(long, option, values[option.attributeName()])
  })
}

function textsOf(long: string, option: Option, value: unknown): readonly string[] {
  if (typeof value === 'boolean') return value === option.negate ? [] : [long]
  const texts = Array.isArray(value) ? value : [value]
  // In one argument, so that a value is never taken for a flag.
  return texts.map((text) => `${long}=${text}`)
}
