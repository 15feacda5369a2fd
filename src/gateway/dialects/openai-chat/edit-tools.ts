import type { RequestEdits } from '../../../loop/request-view.ts'
import { type JsonEdits, memberOf } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import type { TopLevelEdits } from '../shared/request/top-level-edits.ts'
import { WEB_SEARCH_INDEX } from './request-tools.ts'

// OpenAI refuses these in a request without tools.
const FIELDS_ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call']

/** Changes which tools the model may use, and how. */
export function editTools(
  changes: JsonEdits,
  topLevel: TopLevelEdits,
  { json, forcesTool, providerTools }: WireRequest,
  { closing, providerToolUses, withoutParallelTools = false }: RequestEdits,
): void {
  const tools = memberOf(json.root, 'tools')?.elements ?? []
  const functions = memberOf(json.root, 'functions')?.elements ?? []
  const isLast = closing !== undefined && !forcesTool
  const removed = providerTools.filter(({ index }) => providerToolUses?.get(index) === null).map(({ index }) => index)
  if (isLast || removed.includes(WEB_SEARCH_INDEX)) topLevel.set('web_search_options', null)
  const removedTools = removed.filter((index) => index >= 0)
  const left = tools.length - removedTools.length + functions.length
  if (left === 0 || (isLast && closing.withoutTools === true)) {
    const isChange = tools.length + functions.length > 0
    if (isChange) for (const field of FIELDS_ABOUT_TOOLS) topLevel.set(field, null)
    return
  }
  for (const index of removedTools) changes.removeElement(memberOf(json.root, 'tools')!, index)
  if (isLast && tools.length > 0) topLevel.set('tool_choice', '"none"')
  if (isLast && functions.length > 0) topLevel.set('function_call', '"none"')
  if (withoutParallelTools && tools.length > 0) topLevel.set('parallel_tool_calls', 'false')
}
