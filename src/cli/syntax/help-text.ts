/** The examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** What `ID` may be, for commands that take a scope. */
export const SCOPE_ARGUMENT = 'its id, the beginning of its id, or its path (team:core/triage)'

/** Collects a flag that can be repeated. */
export function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export const LIMIT_FLAG = '--limit <LIMIT>'

export const ASK_ABOVE_FLAG = '--ask-above <WHAT>'
export const ASK_ABOVE_HELP = 'ask before it starts more than this, e.g. agents=8 or agents=8,cost=2'
