import type { LoopState } from '../loop-state.ts'
import type { RequestView, ToolResult } from '../request-view.ts'

/**
 * The hints of a request by `resultKeys`: what was left after the newest batch, under its last result, and those of
 * earlier batches at the same results as before, so that the beginning of the prompt never changes.
 */
export async function hintsFor(
  state: LoopState,
  { toolResults }: Pick<RequestView, 'toolResults'>,
): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>()
  const newest = toolResults.at(-1)
  if (newest === undefined) return shown
  const keys = resultKeys(toolResults)
  const newestKey = keys.at(-1)!
  if (newest.isNewest && state.hints.get(newestKey) === undefined) state.hints.set(newestKey, await state.scope.hint())
  for (const key of keys) {
    const hint = state.hints.get(key)
    if (hint !== undefined && hint !== null) shown.set(key, hint)
  }
  return shown
}

/** A key for each tool result: its id, and for a further one with the same id which it is. Some models repeat ids. */
function resultKeys(results: readonly Pick<ToolResult, 'toolCallId'>[]): readonly string[] {
  const key = createResultKeys()
  return results.map(({ toolCallId }) => key(toolCallId))
}

/** The same for results that are visited one by one, in the order of the conversation. */
export function createResultKeys(): (toolCallId: string) => string {
  const seen = new Map<string, number>()
  return (toolCallId) => {
    const count = (seen.get(toolCallId) ?? 0) + 1
    seen.set(toolCallId, count)
    if (count === 1) return toolCallId
    return `${toolCallId}#${count}`
  }
}
