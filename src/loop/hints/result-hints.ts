import type { LoopState } from '../loop-state.ts'
import type { RequestView, ToolResult } from '../request-view.ts'

// An older hint was in a prompt that the provider has counted.
const MOST_LOOKED_AT = 64

export interface PromptHints {
  /** The latest hints in the prompt. */
  readonly texts: string[]
  /** The one that no earlier prompt had; `null` if there is none. */
  readonly fresh: string | null
}

/**
 * Decides on the hint of the newest batch of tool results, added to the last one: what was left after it. Hints of
 * earlier batches stay on the same results, so that the start of the prompt never changes. Returns at most `most` texts;
 * `null`: all.
 */
export async function hintsFor(
  { hints, scope }: Pick<LoopState, 'hints' | 'scope'>,
  { toolResults, newestResults }: Pick<RequestView, 'toolResults' | 'newestResults'>,
  most: number | null = null,
): Promise<PromptHints> {
  let fresh: string | null = null
  const newest = toolResults.at(-1)
  if (newest !== undefined && newestResults > 0 && hints.get(newest.key) === undefined) {
    fresh = await scope.hint()
    hints.set(newest.key, fresh)
  }
  const texts: string[] = []
  const first = most === null ? 0 : Math.max(0, toolResults.length - MOST_LOOKED_AT)
  for (let place = toolResults.length - 1; place >= first && texts.length !== most; place--) {
    const hint = hints.get(toolResults[place]!.key)
    if (typeof hint === 'string') texts.push(hint)
  }
  return { texts, fresh }
}

/**
 * A key for each tool result, in conversation order: its id, plus a number if the id is repeated, as some models do.
 * Those `before` already have keys.
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
