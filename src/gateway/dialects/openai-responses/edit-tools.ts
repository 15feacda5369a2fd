import type { RequestEdits } from '../../../loop/request-view.ts'
import { type JsonEdits, memberOf } from '../../json/index.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../shared/request/json-value.ts'
import type { TopLevelEdits } from '../shared/request/top-level-edits.ts'
import { allowedEntry } from './request-tools.ts'
import type { ResponsesRequest } from './responses-request.ts'

const NONE: ReadonlySet<number> = new Set()
const FIELDS_ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls']

/** Changes which tools the model may use, and how. */
export function editTools(
  changes: JsonEdits,
  topLevel: TopLevelEdits,
  request: ResponsesRequest,
  edits: RequestEdits,
): void {
  const { json, forcesTool } = request
  const { tools } = request.fields
  const { closing, withoutParallelTools = false } = edits
  if (tools.length === 0) return
  const isLast = closing !== undefined && !forcesTool
  const removed = removedTools(request, edits)
  if (removed.size === tools.length || (isLast && closing.withoutTools === true)) {
    for (const field of FIELDS_ABOUT_TOOLS) topLevel.set(field, null)
    return
  }
  for (const index of removed) changes.removeElement(memberOf(json.root, 'tools')!, index)
  const choice = choiceOf(request, removed, edits.forbiddenTools ?? NONE)
  if (isLast) topLevel.set('tool_choice', '"none"')
  else if (choice !== undefined) topLevel.set('tool_choice', choice)
  if (withoutParallelTools) topLevel.set('parallel_tool_calls', 'false')
  const most = mostProviderCalls(edits)
  if (most !== null && most < (request.providerTools.find(({ maxUses }) => maxUses !== null)?.maxUses ?? Infinity)) {
    topLevel.set('max_tool_calls', String(most))
  }
}

/** The tools to remove, including all that a bound of 0 leaves unusable. */
function removedTools({ providerTools }: ResponsesRequest, edits: RequestEdits): ReadonlySet<number> {
  const most = mostProviderCalls(edits)
  const isGone = (index: number) => edits.providerToolUses?.get(index) === null
  return new Set(
    providerTools
      .filter(({ index, isBoundable }) => isGone(index) || (most === 0 && isBoundable))
      .map(({ index }) => index),
  )
}

/** This dialect bounds all tools together, so the bounds of single tools are added up. */
function mostProviderCalls({ maxProviderCalls, providerToolUses }: RequestEdits): number | null {
  const bounds = [...(providerToolUses?.values() ?? [])].filter((uses) => uses !== null)
  if (bounds.length === 0) return maxProviderCalls ?? null
  const together = bounds.reduce((sum, uses) => sum + uses, 0)
  return Math.min(together, maxProviderCalls ?? together)
}

/**
 * The tool choice when tools are removed or forbidden, with the meaning of the client's own choice: a forced call stays
 * forced. `null` removes the choice, `undefined` leaves it.
 */
function choiceOf(
  { json, fields: { tools } }: ResponsesRequest,
  gone: ReadonlySet<number>,
  forbidden: ReadonlySet<number>,
): string | null | undefined {
  const { tool_choice: asked } = json.value
  const choice = objectFrom(asked)
  const barred = [...gone, ...forbidden].map((index) => tools[index]!)
  if (barred.length === 0 || asked === 'none') return undefined
  const isBarred = (named: JsonObject) =>
    barred.some(({ type, server_label: label }) => type === named.type && label === named.server_label)
  if (choice?.type === 'allowed_tools') {
    const allowed = objectsFrom(choice.tools)
    const left = allowed.filter((named) => !isBarred(named))
    if (left.length === allowed.length) return undefined
    return left.length > 0 ? JSON.stringify({ ...choice, tools: left }) : forbidden.size > 0 ? '"none"' : null
  }
  // A choice that forces another tool excludes all others.
  if (choice !== null && !isBarred(choice)) return undefined
  if (forbidden.size === 0) return choice === null ? undefined : null
  const others = tools.filter((_, index) => !gone.has(index) && !forbidden.has(index)).map(allowedEntry)
  if (others.length === 0) return '"none"'
  return JSON.stringify({ type: 'allowed_tools', mode: asked === 'required' ? 'required' : 'auto', tools: others })
}
