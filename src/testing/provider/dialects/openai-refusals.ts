import { isGiven, type JsonObject, textOf } from '../json/json-value.ts'
import { badRequest, ProviderRefusal } from '../provider-refusal.ts'
import type { ReadContext } from './provider-dialect.ts'

/** The model of a request. Throws if there is none. */
export function checkModel(body: JsonObject, context: ReadContext) {
  const model = textOf(body.model)
  if (model === '') return badRequest('you must provide a model parameter')
  const known = context.modelOf(model)
  if (known !== null) return { model, known }
  throw new ProviderRefusal(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  })
}

/** The output cap; `null` if there is none. Throws if it is invalid for the model. */
export function checkCap(body: JsonObject, field: string, smallest: number, most: number): number | null {
  const value = body[field]
  if (!isGiven(value)) return null
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return badRequest(`Invalid type for '${field}': expected an integer.`, { param: field, code: 'invalid_type' })
  }
  if (value < smallest) {
    return badRequest(
      `Invalid '${field}': integer below minimum value. Expected a value >= ${smallest}, but got ${value} instead.`,
      { param: field, code: 'integer_below_min_value' },
    )
  }
  if (value > most) {
    return badRequest(`${field} is too large: ${value}. This model supports at most ${most} completion tokens.`, {
      param: field,
      code: 'invalid_value',
    })
  }
  return value
}

/** Reasoning models refuse sampling parameters. */
export function checkSampling(body: JsonObject, model: { readonly reasoningTokens?: number }): void {
  if (model.reasoningTokens === undefined) return
  for (const field of ['temperature', 'top_p']) {
    if (!isGiven(body[field]) || body[field] === 1) continue
    badRequest(
      `Unsupported value: '${field}' does not support ${body[field]} with this model. Only the default (1) value is supported.`,
      { param: field, code: 'unsupported_value' },
    )
  }
}

/** Throws if the prompt alone is longer than the context window. */
export function checkContext(promptTokens: number, contextWindow: number, param: string): void {
  if (promptTokens <= contextWindow) return
  badRequest(
    `This model's maximum context length is ${contextWindow} tokens. However, your messages resulted in ${promptTokens} tokens.`,
    { param, code: 'context_length_exceeded' },
  )
}

/** The tools in `allowed_tools`. Throws for one that the request doesn't offer. */
export function allowedNames(
  names: readonly string[],
  offered: readonly { readonly name: string }[],
): readonly string[] {
  const unknown = names.find((name) => offered.every((tool) => tool.name !== name))
  if (unknown === undefined) return names
  return badRequest(`Tool choice '${unknown}' not found in 'tools' parameter.`, { param: 'tool_choice' })
}

/** The refusal of an empty list. */
export function emptyArray(param: string): never {
  return badRequest(
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  )
}
