/** What the usual short names mean where the config says nothing. Each has a price. */
export const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['haiku', 'anthropic/claude-haiku-5-5'],
  ['sonnet', 'anthropic/claude-sonnet-5-5'],
  ['opus', 'anthropic/claude-opus-5-5'],
])
