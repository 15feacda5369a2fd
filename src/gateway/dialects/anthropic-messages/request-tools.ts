import type { WireTool } from '../dialect.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import { readCount } from '../shared/request/request-fields.ts'
import type { MessageFacts } from '../shared/request/wire-message.ts'

/** Who runs the tools of a request. */
export interface RequestTools {
  readonly hasClientTools: boolean
  readonly providerTools: readonly WireTool[]
}

// Tools that Anthropic defines and the client runs. Unknown ones count as provider-run, so that a new kind is bounded
// or removed from the start.
const CLIENT_RUN = /^(?:custom$|bash_|text_editor_|computer_|memory_|browser_toolset_)/
// Those whose `max_uses` bounds all of their cost. An advisor has it too, but runs its own model.
const BOUNDABLE = /^web_(?:search|fetch)_/

/** Reads the list of tools and the MCP servers. */
export function requestTools(tools: readonly JsonObject[], servers: readonly JsonObject[]): RequestTools {
  const providerTools: WireTool[] = []
  let hasClientTools = false
  for (const [index, tool] of tools.entries()) {
    if (isClientRun(tool)) hasClientTools = true
    else providerTools.push(providerTool(tool, index))
  }
  // An MCP server without a toolset provides its tools directly. It is numbered after the list of tools.
  const named = new Set(tools.map((tool) => tool.mcp_server_name))
  for (const [index, server] of servers.entries()) {
    if (named.has(server.name)) continue
    const name = textFrom(server.name)
    providerTools.push({ index: tools.length + index, name, maxUses: null, isBoundable: false, isWebSearch: false })
  }
  return { hasClientTools, providerTools }
}

function isClientRun(tool: JsonObject): boolean {
  const { type } = tool
  return type === undefined || type === null || (typeof type === 'string' && CLIENT_RUN.test(type))
}

function providerTool(tool: JsonObject, index: number): WireTool {
  const type = textFrom(tool.type)
  return {
    index,
    name: textFrom(tool.name) || textFrom(tool.mcp_server_name) || type,
    maxUses: readCount(tool, 'max_uses', 0),
    isBoundable: BOUNDABLE.test(type),
    isWebSearch: type.startsWith('web_search_'),
    ...(type.startsWith('web_fetch_') ? { contentTokens: readCount(tool, 'max_content_tokens', 0) } : {}),
  }
}

/**
 * The tools that a message adds; `null` for none. One that only names a listed tool adds nothing. Provider-run tools
 * added this way cannot be bounded.
 */
export function addedTools({ content }: JsonObject): NonNullable<MessageFacts['adds']> | null {
  const added = objectsFrom(content).flatMap((block) => {
    const tool = block.type === 'tool_addition' ? objectFrom(block.tool) : null
    if (tool === null || tool.type === 'tool_reference') return []
    return [objectFrom(tool.definition) ?? tool]
  })
  if (added.length === 0) return null
  return { clientTools: added.some(isClientRun), providerTools: added.some((tool) => !isClientRun(tool)) }
}
