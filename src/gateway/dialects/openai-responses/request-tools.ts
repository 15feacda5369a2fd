import type { WireTool } from '../dialect.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'

const CLIENT_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'namespace',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use_preview',
])
// `max_tool_calls` bounds them all together. An image has a separate price, which no token bound covers.
const BOUNDABLE = /^(web_search|file_search|code_interpreter|mcp|shell)/
// They run in a container, which is billed by size and minutes.
const IN_CONTAINER = /^(code_interpreter|shell)/

/**
 * Whether the client runs it. A shell runs at the client unless it is in a container; a tool search only if the request
 * says so.
 */
export function isClientTool(tool: JsonObject): boolean {
  const type = textFrom(tool.type)
  if (type === 'shell') return !textFrom(objectFrom(tool.environment)?.type).startsWith('container')
  return CLIENT_TOOLS.has(type) || (type === 'tool_search' && tool.execution === 'client')
}

/**
 * The name of a tool in `tool_choice: allowed_tools`; `null`: it has none there. Tools of a namespace and deferred
 * tools cannot be named.
 */
export function allowedEntry(tool: JsonObject): JsonObject | null {
  const { type, name, server_label: label, defer_loading: isDeferred } = tool
  if (isDeferred === true) return null
  if (type === 'function' || type === 'custom') return { type, name }
  if (type === 'mcp') return { type, server_label: label }
  return NAMED_BY_TYPE.test(textFrom(type)) ? { type } : null
}

const NAMED_BY_TYPE = /^(web_search|file_search|code_interpreter|image_generation|shell$|local_shell$|apply_patch$)/

/** An unknown kind of tool counts as provider-run and unbounded. */
export function providerToolsOf(tools: readonly JsonObject[], maxToolCalls: number | null): readonly WireTool[] {
  // A list of allowed tools must name all of the others: one that cannot be named would be lost.
  const canForbid = tools.every((tool) => allowedEntry(tool) !== null)
  return tools.flatMap((tool, index) => {
    const name = textFrom(tool.type)
    // Searching for tools costs only tokens, and without it deferred tools are lost.
    if (isClientTool(tool) || name === 'tool_search') return []
    const isBoundable = BOUNDABLE.test(name)
    const maxUses = isBoundable ? maxToolCalls : null
    const isWebSearch = name.startsWith('web_search')
    const priced = {
      ...(IN_CONTAINER.test(name) ? { hasOwnPrice: true } : {}),
      ...(name.startsWith('file_search') ? { isFileSearch: true } : {}),
      ...(isBoundable && canForbid ? { isForbiddable: true } : {}),
    }
    return [{ index, name, maxUses, isBoundable, isBoundTogether: isBoundable, isWebSearch, ...priced }]
  })
}

const CLIENT_CHOICES: ReadonlySet<unknown> = new Set(['function', 'custom', 'apply_patch', 'shell', 'computer'])

/** Whether the answer must be a call of a tool that the client runs. */
export function forcesToolIn({ tool_choice: choice }: JsonObject): boolean {
  if (choice === 'required') return true
  const { type, mode } = objectFrom(choice) ?? {}
  if (type === 'allowed_tools') return mode === 'required'
  return CLIENT_CHOICES.has(type) || textFrom(type).startsWith('computer_use')
}

/** Whether the answer must be JSON. */
export function isSchemaForced({ text }: JsonObject): boolean {
  const type = objectFrom(objectFrom(text)?.format)?.type
  return type === 'json_schema' || type === 'json_object'
}

/** A template brings a prompt and tools that we cannot see; a compaction is a second answer. */
export function unboundedIn({ prompt, context_management: management }: JsonObject): readonly string[] {
  const found: string[] = []
  if (objectFrom(prompt) !== null) found.push('prompt')
  if (Array.isArray(management) && management.length > 0) found.push('context_management')
  return found
}
