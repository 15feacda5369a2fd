import type { Command } from 'commander'

/** The examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** What `ID` may be, for commands that take a scope. */
export const SCOPE_ARGUMENT = 'the scope: its id, the beginning of its id, or its path (team:core/triage)'

// What is missing, in the words of our own errors. Everything else that Commander says is clear enough.
const MISSING: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^error: missing required argument '(.+)'/, '$1 is missing.'],
  [/^error: required option '(.+)' not specified/, '$1 is missing.'],
  [/^error: option '(?:-\w, )?(\S+) (.+)' argument missing/, '$1 needs a value: $1 $2'],
]

/** An error of a command line that could not be parsed. */
export function usageError(message: string): string {
  const known = MISSING.find(([theirs]) => theirs.test(message))
  return known === undefined ? message.replace(/^error: /, '') : message.replace(...known)
}

/** What follows such an error. */
export function usageHint(command: Command): string {
  const help = command.createHelp()
  const usage = help.commandUsage(command)
  const [name] = usage.split(/ \[| <| --/, 1)
  return `Usage: ${usage}\n\`${name} --help\` explains ${command.commands.length > 0 ? 'the commands' : 'it'}.`
}

/** Collects a flag that can be repeated. */
export function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export const LIMIT_FLAG = '--limit <LIMIT>'

export const ASK_ABOVE_FLAG = '--ask-above <WHAT>'
export const ASK_ABOVE_HELP = 'ask before it starts more than this, e.g. agents=8 or agents=8,cost=2'
