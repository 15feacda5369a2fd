import type { LoopState } from '../loop-state.ts'
import type { RequestView, ToolResult } from '../request-view.ts'

/**
 * The hints of a request by the keys of its results: what was left after the newest batch, under its last result, and those of
 * earlier batches at the same results as before, so that the beginning of the prompt never changes.
 */
export async function hintsFor(
  state: LoopState,
  { toolResults }: Pick<RequestView, 'toolResults'>,
): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>()
  const newest = toolResults.at(-1)
  if (newest === undefined) return shown
  const { key: newestKey } = newest
  if (newest.isNewest && state.hints.get(newestKey) === undefined) state.hints.set(newestKey, await state.scope.hint())
  for (const { key } of toolResults) {
    const hint = state.hints.get(key)
    if (hint !== undefined && hint !== null) shown.set(key, hint)
  }
  return shown
}

/**
 * A key for each tool result, in the order of the conversation: its id, and for a further one with the same id which it
 * is. Some models repeat ids. Those `before` have theirs already.
 */
export function createResultKeys(
  before: readonly Pick<ToolResult, 'toolCallId'>[] = [],
): (toolCallId: string) => string {
  const seen = new Map<string, number>()
  for (const { toolCallId } of before) seen.set(toolCallId, (seen.get(toolCallId) ?? 0) + 1)
  return (toolCallId) => {
    const count = (seen.get(toolCallId) ?? 0) + 1
    seen.set(toolCallId, count)
    if (count === 1) return toolCallId
    return `${toolCallId}#${count}`
  }
}
