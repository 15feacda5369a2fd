import type { AgentState } from '../agents/agent-state.ts'
import type { WireRequest } from '../dialects/dialect.ts'

/**
 * The hints of a request by tool-call id: what was left after the newest batch, under its last result, and those of
 * earlier batches where they stood before, so that the beginning of the prompt never changes.
 */
export async function hintsFor(state: AgentState, request: WireRequest): Promise<ReadonlyMap<string, string>> {
  const { toolResults } = request
  const newest = toolResults.at(-1)
  if (newest?.isNewest === true && state.hints.get(newest.toolCallId) === undefined) {
    state.hints.set(newest.toolCallId, await state.scope.hint())
  }
  const shown = new Map<string, string>()
  for (const { toolCallId } of toolResults) {
    const hint = state.hints.get(toolCallId)
    if (hint !== undefined && hint !== null) shown.set(toolCallId, hint)
  }
  return shown
}
