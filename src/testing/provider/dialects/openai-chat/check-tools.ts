import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { OfferedTool, ProviderRequest, ReadTools } from '../../provider-request.ts'
import { allowedNames, emptyArray } from '../openai-refusals.ts'

/** Reads the tools. Throws what the provider refuses. */
export function checkTools(body: JsonObject): Omit<ReadTools, 'maxWebSearches'> {
  if (isGiven(body.functions)) return legacyFunctions(body)
  if (Array.isArray(body.tools) && body.tools.length === 0) emptyArray('tools')
  const tools = objectsOf(body.tools).map(toolFrom)
  if (tools.length === 0) {
    for (const field of ['tool_choice', 'parallel_tool_calls']) {
      if (!isGiven(body[field])) continue
      badRequest(`Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`, {
        param: field,
      })
    }
  }
  return {
    tools,
    toolChoice: choiceOf(body.tool_choice, tools),
    allowedTools: allowedOf(body.tool_choice, tools),
    isParallel: body.parallel_tool_calls !== false,
  }
}

function allowedOf(value: unknown, tools: readonly OfferedTool[]): ProviderRequest['allowedTools'] {
  const choice = objectOf(value)
  if (choice?.type !== 'allowed_tools') return null
  const allowed = objectsOf(objectOf(choice.allowed_tools)?.tools)
  const names = allowed.map((tool) => textOf((objectOf(tool.function) ?? objectOf(tool.custom))?.name))
  return allowedNames(names, tools)
}

function toolFrom(tool: JsonObject, at: number): OfferedTool {
  const type = textOf(tool.type)
  const definition = objectOf(tool[type]) ?? badRequest(`Missing required parameter: 'tools[${at}].${type || 'type'}'.`)
  const name = textOf(definition.name)
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    badRequest(
      `Invalid 'tools[${at}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      { param: `tools[${at}].function.name`, code: 'invalid_value' },
    )
  }
  return { name, kind: 'function', schema: objectOf(definition.parameters) ?? {} }
}

function choiceOf(value: unknown, tools: readonly OfferedTool[]): ProviderRequest['toolChoice'] {
  if (!isGiven(value) || value === 'auto') return 'auto'
  if (value === 'none' || value === 'required') return value
  const choice = objectOf(value)
  if (choice?.type === 'allowed_tools') {
    return textOf(objectOf(choice.allowed_tools)?.mode) === 'required' ? 'required' : 'auto'
  }
  const name = textOf((objectOf(choice?.function) ?? objectOf(choice?.custom))?.name)
  if (tools.some((tool) => tool.name === name)) return { name }
  return badRequest(`Invalid value for 'tool_choice': the tool '${name}' is not in 'tools'.`, { param: 'tool_choice' })
}

// The API of 2023: one call per answer, without ids.
function legacyFunctions(body: JsonObject): Omit<ReadTools, 'maxWebSearches'> {
  const tools = objectsOf(body.functions).map(
    (each): OfferedTool => ({
      name: textOf(each.name),
      kind: 'legacy-function',
      schema: objectOf(each.parameters) ?? {},
    }),
  )
  if (tools.length === 0) emptyArray('functions')
  const choice = body.function_call
  const name = textOf(objectOf(choice)?.name)
  const toolChoice = choice === 'none' ? 'none' : name === '' ? 'auto' : { name }
  return { tools, toolChoice, allowedTools: null, isParallel: false }
}
