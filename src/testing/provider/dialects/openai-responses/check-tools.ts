import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { OfferedTool, ProviderRequest, ReadTools } from '../../provider-request.ts'
import { allowedNames } from '../openai-refusals.ts'

/** Reads the tools. Throws what the provider refuses. */
export function checkTools(body: JsonObject): ReadTools {
  const all = objectsOf(body.tools)
  const tools = all.flatMap(toolFrom)
  const toolChoice = choiceOf(body.tool_choice, all, tools)
  const allowed = allowedOf(body.tool_choice, all)
  return {
    tools,
    toolChoice,
    allowedTools:
      allowed === null
        ? null
        : allowedNames(
            allowed.flatMap(({ name }) => textOf(name) || []),
            tools,
          ),
    isParallel: body.parallel_tool_calls !== false,
    maxWebSearches: toolChoice === 'none' ? 0 : searchesOf(allowed ?? all, body.max_tool_calls),
  }
}

// A namespace holds the functions of one server under its name.
function toolFrom(tool: JsonObject, at: number): readonly OfferedTool[] {
  const type = textOf(tool.type)
  if (type === 'namespace') return objectsOf(tool.tools).flatMap(toolFrom)
  if (type === 'local_shell') return [{ name: type, kind: type, schema: {} }]
  if (type !== 'function' && type !== 'custom') return []
  const name = textOf(tool.name)
  if (name === '') {
    badRequest(`Missing required parameter: 'tools[${at}].name'.`, {
      param: `tools[${at}].name`,
      code: 'missing_required_parameter',
    })
  }
  return [{ name, kind: type, schema: objectOf(tool.parameters) ?? {} }]
}

function choiceOf(
  value: unknown,
  all: readonly JsonObject[],
  tools: readonly OfferedTool[],
): ProviderRequest['toolChoice'] {
  if (!isGiven(value) || value === 'auto' || value === 'none') return value === 'none' ? 'none' : 'auto'
  if (all.length === 0) {
    badRequest("Tool choice must be 'auto' or 'none' when no 'tools' are specified.", { param: 'tool_choice' })
  }
  if (value === 'required') return 'required'
  const choice = objectOf(value)
  if (choice?.type === 'allowed_tools') return choice.mode === 'required' ? 'required' : 'auto'
  if (choice?.type !== 'function' && choice?.type !== 'custom') return 'auto'
  const name = textOf(choice.name)
  if (tools.some((tool) => tool.name === name)) return { name }
  return badRequest(`Tool choice '${name}' not found in 'tools' parameter.`, { param: 'tool_choice' })
}

/** The allowed tools, each of which must be one of the request's tools; `null` without such a list. */
function allowedOf(value: unknown, all: readonly JsonObject[]): readonly JsonObject[] | null {
  const choice = objectOf(value)
  if (choice?.type !== 'allowed_tools') return null
  return objectsOf(choice.tools).map(
    (entry) =>
      all.find(({ type, name, server_label: label }) =>
        [type === entry.type, name === entry.name, label === entry.server_label].every(Boolean),
      ) ?? badRequest(`Tool choice '${textOf(entry.type)}' not found in 'tools' parameter.`, { param: 'tool_choice' }),
  )
}

function searchesOf(tools: readonly JsonObject[], most: unknown): number {
  if (!tools.some((tool) => textOf(tool.type).startsWith('web_search'))) return 0
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY
}
