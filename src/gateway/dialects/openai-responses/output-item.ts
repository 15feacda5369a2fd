import type { ToolCallName } from '../shared/answer/index.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'

const NAMED: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call'])
const UNNAMED: ReadonlyMap<unknown, string> = new Map([
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
])
const PROVIDER_CALLS: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
])

/** The call that an item of the output asks the client to run; `null` for everything else. */
export function clientCallIn(item: JsonObject): ToolCallName | null {
  if (isInContainer(item)) return null
  const name = NAMED.has(item.type) ? textFrom(item.name) : (UNNAMED.get(item.type) ?? searchIn(item))
  return name === null ? null : { id: textFrom(item.call_id) || textFrom(item.id), name }
}

/** Whether an item is a call that the provider ran. */
export function isProviderCall(item: JsonObject): boolean {
  return PROVIDER_CALLS.has(item.type) || isInContainer(item)
}

/** Opening a page and finding text in it do not count as searches, and are free. */
export function isWebSearch(item: JsonObject): boolean {
  const action = objectFrom(item.action)?.type
  return item.type === 'web_search_call' && action !== 'open_page' && action !== 'find_in_page'
}

/** Whether an item is a search in files stored at the provider, each of which has a fee. */
export function isFileSearch(item: JsonObject): boolean {
  return item.type === 'file_search_call'
}

function isInContainer(item: JsonObject): boolean {
  return item.type === 'shell_call' && textFrom(objectFrom(item.environment)?.type).startsWith('container')
}

function searchIn(item: JsonObject): string | null {
  return item.type === 'tool_search_call' && item.execution === 'client' ? 'tool_search' : null
}
