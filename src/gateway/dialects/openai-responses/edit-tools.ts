import { type JsonEdits, memberOf } from '../../json/index.ts'
import type { RequestEdits } from '../dialect.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../request/json-value.ts'
import type { TopLevelEdits } from '../request/top-level-edits.ts'
import type { ResponsesRequest } from './responses-request.ts'

const FIELDS_ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls']

/** Changes what tools the model may use, and how. */
export function editTools(
  changes: JsonEdits,
  topLevel: TopLevelEdits,
  request: ResponsesRequest,
  edits: RequestEdits,
): void {
  const { json, tools, forcesTool } = request
  const { closing, withoutParallelTools = false } = edits
  if (tools.length === 0) return
  const isLast = closing !== undefined && !forcesTool
  const removed = removedTools(request, edits)
  if (removed.size === tools.length || (isLast && closing.withoutTools === true)) {
    for (const field of FIELDS_ABOUT_TOOLS) topLevel.set(field, null)
    return
  }
  for (const index of removed) changes.removeElement(memberOf(json.root, 'tools')!, index)
  const choice = choiceWithout(
    json.value.tool_choice,
    [...removed].map((index) => tools[index]!),
  )
  if (isLast) topLevel.set('tool_choice', '"none"')
  else if (choice !== undefined) topLevel.set('tool_choice', choice)
  if (withoutParallelTools) topLevel.set('parallel_tool_calls', 'false')
  const most = mostProviderCalls(edits)
  if (most !== null && most < (request.providerTools.find(({ maxUses }) => maxUses !== null)?.maxUses ?? Infinity)) {
    topLevel.set('max_tool_calls', String(most))
  }
}

/** Those that are to go, and all that a bound of nothing leaves nothing to. */
function removedTools({ providerTools }: ResponsesRequest, edits: RequestEdits): ReadonlySet<number> {
  const most = mostProviderCalls(edits)
  const isGone = (index: number) => edits.providerToolUses?.get(index) === null
  return new Set(
    providerTools
      .filter(({ index, isBoundable }) => isGone(index) || (most === 0 && isBoundable))
      .map(({ index }) => index),
  )
}

/** This dialect bounds all tools together: bounds of single ones are added up. */
function mostProviderCalls({ maxProviderCalls, providerToolUses }: RequestEdits): number | null {
  const bounds = [...(providerToolUses?.values() ?? [])].filter((uses) => uses !== null)
  if (bounds.length === 0) return maxProviderCalls ?? null
  const together = bounds.reduce((sum, uses) => sum + uses, 0)
  return Math.min(together, maxProviderCalls ?? together)
}

/** A choice that names a tool which is gone would be refused: `null` takes it out, `undefined` leaves it. */
function choiceWithout(toolChoice: unknown, removed: readonly JsonObject[]): string | null | undefined {
  const choice = objectFrom(toolChoice)
  if (choice === null || removed.length === 0) return undefined
  const isGone = (named: JsonObject) =>
    removed.some(({ type, server_label: label }) => type === named.type && label === named.server_label)
  if (choice.type !== 'allowed_tools') return isGone(choice) ? null : undefined
  const allowed = objectsFrom(choice.tools)
  const left = allowed.filter((named) => !isGone(named))
  if (left.length === allowed.length) return undefined
  return left.length === 0 ? null : JSON.stringify({ ...choice, tools: left })
}
