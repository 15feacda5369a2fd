import { MEDIA_TOKENS, type TokenRule } from '../../counting/token-rule.ts'
import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { PromptPart, ProviderRequest } from '../../provider-request.ts'
import { checkCap, checkModel, checkSampling } from '../openai-refusals.ts'
import { openAiRequest } from '../openai-request.ts'
import type { ReadContext } from '../provider-dialect.ts'
import { callIdOf, checkInput, isCall, isCallOutput } from './check-input.ts'
import { checkTools } from './check-tools.ts'
import { FIELDS } from './fields.ts'

const SMALLEST_CAP = 16

/** Reads a request to Responses. Throws what the provider refuses. */
export function readRequest(body: JsonObject, context: ReadContext): ProviderRequest {
  // Codex may send its own fields.
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field))
  if (unknown !== undefined && !isGiven(context.headers.originator)) {
    badRequest(`Unknown parameter: '${unknown}'.`, { param: unknown, code: 'unknown_parameter' })
  }
  const { model, known } = checkModel(body, context)
  const items = checkInput(body, context)
  const askedOutputTokens = checkCap(body, 'max_output_tokens', SMALLEST_CAP, known.maxOutputTokens)
  checkSampling(body, known)
  const tools = checkTools(body)
  const prompt = promptParts(body, items, context.rule)
  return {
    ...openAiRequest({ body, context, model, known, askedOutputTokens, tools, prompt, promptField: 'input' }),
    dialect: 'openai-responses',
    choices: 1,
    schema: schemaOf(body),
    toolRounds: roundsOf(items),
    toolResults: items.flatMap((item) =>
      isCallOutput(item) ? [{ toolCallId: callIdOf(item), text: textOfContent(item.output) }] : [],
    ),
    userText: textOfContent(items.findLast(({ role }) => role === 'user')?.content),
    conversation: items,
  }
}

function schemaOf(body: JsonObject): JsonObject | null {
  const format = objectOf(objectOf(body.text)?.format)
  if (format?.type === 'json_object') return { type: 'object' }
  return format?.type === 'json_schema' ? (objectOf(format.schema) ?? {}) : null
}

// Consecutive calls belong to one answer.
function roundsOf(items: readonly JsonObject[]): number {
  return items.filter((item, at) => isCall(item) && !isCall(items[at - 1] ?? {})).length
}

/** The tools, the instructions, then the conversation, as the cache sees them. */
function promptParts(body: JsonObject, items: readonly JsonObject[], rule: TokenRule): readonly PromptPart[] {
  const instructions = textOf(body.instructions)
  const fixed = [
    ...objectsOf(body.tools).map((tool) => JSON.stringify(tool)),
    ...(instructions === '' ? [] : [instructions]),
  ]
  return [
    ...fixed.map((key) => ({ key, tokens: rule.tokensOf(key), mark: null })),
    ...items.map((item) => ({ key: JSON.stringify(item), tokens: itemTokens(item, rule), mark: null })),
  ]
}

function itemTokens(item: JsonObject, rule: TokenRule): number {
  if (item.type === 'message') return contentTokens(item.content, rule)
  if (isCallOutput(item)) return contentTokens(item.output, rule)
  if (item.type === 'reasoning') return contentTokens(item.summary, rule)
  if (item.type === 'function_call' || item.type === 'custom_tool_call') {
    const written = textOf(item.arguments) || textOf(item.input)
    return rule.tokensOf(textOf(item.name)) + rule.tokensOf(written)
  }
  return rule.tokensOf(JSON.stringify(item))
}

function contentTokens(content: unknown, rule: TokenRule): number {
  if (typeof content === 'string') return rule.tokensOf(content)
  return objectsOf(content).reduce(
    (sum, part) => sum + (typeof part.text === 'string' ? rule.tokensOf(part.text) : MEDIA_TOKENS),
    0,
  )
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join('')
}
