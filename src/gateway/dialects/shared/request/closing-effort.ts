const MORE_THAN_LOW: ReadonlySet<unknown> = new Set(['medium', 'high', 'xhigh', 'max'])

/** The effort of a closing call, if the request asks for more; `null`: unchanged. The `pro` models support only one. */
export function closingEffort(model: string, effort: unknown): 'low' | null {
  return MORE_THAN_LOW.has(effort) && !model.includes('-pro') ? 'low' : null
}
