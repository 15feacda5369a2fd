import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { OfferedTool, ProviderRequest, ReadTools } from '../../provider-request.ts'

// Provider-run unless the client has to run them: shell, editor, memory and the like.
const PROVIDER_RUN = /^(web_search|web_fetch|code_execution|tool_search|mcp_toolset)/

/** Reads the tools. Throws what the provider refuses. */
export function checkTools(body: JsonObject, isThinking: boolean): ReadTools {
  const all = objectsOf(body.tools)
  all.forEach(checkTool)
  const names = all.map((tool) => textOf(tool.name))
  if (new Set(names).size < names.length) badRequest('tools: Tool names must be unique.')
  const choice = objectOf(body.tool_choice)
  if (choice !== null && all.length === 0) {
    badRequest('tool_choice: `tool_choice` may only be specified while providing `tools`.')
  }
  const toolChoice = choiceOf(choice, names)
  if (isThinking && toolChoice !== 'auto' && toolChoice !== 'none') {
    badRequest('Thinking may not be enabled when tool_choice forces tool use.')
  }
  return {
    tools: all.filter((tool) => !isProviderRun(tool)).map(offeredTool),
    toolChoice,
    allowedTools: null,
    isParallel: choice?.disable_parallel_tool_use !== true,
    maxWebSearches: toolChoice === 'none' ? 0 : searchesOf(all),
  }
}

function isProviderRun(tool: JsonObject): boolean {
  return PROVIDER_RUN.test(textOf(tool.type))
}

function offeredTool(tool: JsonObject): OfferedTool {
  return { name: textOf(tool.name), kind: 'function', schema: objectOf(tool.input_schema) ?? {} }
}

function checkTool(tool: JsonObject, at: number): void {
  const { name, type, input_schema: schema } = tool
  if (type === 'mcp_toolset') return
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(name))) {
    badRequest(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
  }
  if (isGiven(type) && type !== 'custom') return
  if (!isGiven(schema)) badRequest(`tools.${at}.custom.input_schema: Field required`)
  if (objectOf(schema)?.type !== 'object') {
    badRequest(`tools.${at}.custom.input_schema.type: Input should be 'object'`)
  }
}

function choiceOf(choice: JsonObject | null, names: readonly string[]): ProviderRequest['toolChoice'] {
  switch (choice?.type) {
    case undefined:
    case 'auto':
      return 'auto'
    case 'none':
      return 'none'
    case 'any':
      return 'required'
    case 'tool': {
      const name = textOf(choice?.name)
      if (!names.includes(name)) badRequest(`tool_choice.tool.name: Tool '${name}' not found in provided tools`)
      return { name }
    }
    default:
      return badRequest("tool_choice: Input tag does not match any of the expected tags: 'auto', 'any', 'tool', 'none'")
  }
}

function searchesOf(tools: readonly JsonObject[]): number {
  const search = tools.find((tool) => textOf(tool.type).startsWith('web_search'))
  if (search === undefined) return 0
  return typeof search.max_uses === 'number' ? search.max_uses : Number.POSITIVE_INFINITY
}
