import type { WireTool } from '../dialect.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'

const CLIENT_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom'])
const SEARCH = /search|browse/i
const SEARCHING_MODEL = /-search-(preview|api)|:online$/
/** Not in the list of tools, but a separate field. */
export const WEB_SEARCH_INDEX = -1

/** Whether there are tools that the client runs and that the model may call. */
export function hasClientTools(
  { tool_choice: choice, function_call: functionCall }: JsonObject,
  tools: readonly JsonObject[],
  functions: readonly JsonObject[],
): boolean {
  const mayCallFunction = functions.length > 0 && functionCall !== 'none'
  return mayCallFunction || (choice !== 'none' && tools.some(({ type }) => CLIENT_TOOLS.has(type)))
}

/** An unknown kind of tool counts as provider-run and unbounded. */
export function providerToolsOf(body: JsonObject, tools: readonly JsonObject[]): readonly WireTool[] {
  const found: WireTool[] = []
  tools.forEach(({ type }, index) => {
    if (CLIENT_TOOLS.has(type)) return
    const name = textFrom(type)
    found.push({ index, name, maxUses: null, isBoundable: false, isWebSearch: SEARCH.test(name) })
  })
  // A model with built-in search searches once, before it answers.
  const isBuiltIn = SEARCHING_MODEL.test(textFrom(body.model))
  if (isBuiltIn || objectFrom(body.web_search_options) !== null) {
    found.push({
      index: WEB_SEARCH_INDEX,
      name: 'web_search_options',
      maxUses: 1,
      isBoundable: isBuiltIn,
      isWebSearch: true,
      ...(isBuiltIn ? { isBuiltIn } : {}),
    })
  }
  return found
}

/** Whether the answer must be a tool call. */
export function forcesToolIn({ tool_choice: choice, function_call: functionCall }: JsonObject): boolean {
  if (choice === 'required' || objectFrom(functionCall) !== null) return true
  const { type, allowed_tools: allowed } = objectFrom(choice) ?? {}
  if (type === 'allowed_tools') return objectFrom(allowed)?.mode === 'required'
  return type === 'function' || type === 'custom'
}

/** Whether the answer must be JSON. */
export function isSchemaForced({ response_format: format }: JsonObject): boolean {
  const type = objectFrom(format)?.type
  return type === 'json_schema' || type === 'json_object'
}

/**
 * Additional fields of other providers with this dialect: searches, more expensive models, audio and images, answers
 * that we cannot see. With a prediction, OpenAI bills the unused part of it, without a cap.
 */
export function unboundedIn(body: JsonObject): readonly string[] {
  const { plugins, models, search_parameters: search, modalities, best_of: bestOf, prediction } = body
  const found: string[] = []
  if (Array.isArray(plugins) && plugins.length > 0) found.push('plugins')
  if (Array.isArray(models) && models.length > 0) found.push('models')
  if (objectFrom(search) !== null && objectFrom(search)?.mode !== 'off') found.push('search_parameters')
  if (Array.isArray(modalities) && modalities.some((modality) => modality !== 'text')) found.push('modalities')
  if ((bestOf ?? 1) !== 1) found.push('best_of')
  if ((prediction ?? null) !== null) found.push('prediction')
  return found
}
