import { isGiven, type JsonObject, objectOf, textOf } from '../../json/json-value.ts'
import { badRequest, ProviderRefusal } from '../../provider-refusal.ts'
import type { ProviderRequest } from '../../provider-request.ts'
import type { ReadContext } from '../provider-dialect.ts'
import { checkMessages, idsOf, type Message } from './check-messages.ts'
import { checkTools } from './check-tools.ts'
import { FIELDS } from './fields.ts'
import { promptParts, textOfContent } from './prompt-parts.ts'

const SMALLEST_THINKING = 1_024
const LONG_CONTEXT_TOKENS = 1_000_000

/** Reads a request to Messages. Throws what the provider refuses. */
export function readRequest(body: JsonObject, context: ReadContext): ProviderRequest {
  const { headers, rule } = context
  if (!isGiven(headers['anthropic-version'])) badRequest('anthropic-version: header is required')
  const betas = textOf(headers['anthropic-beta'])
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field))
  if (unknown !== undefined && betas === '') badRequest(`${unknown}: Extra inputs are not permitted`)
  const model = textOf(body.model)
  if (model === '') badRequest('model: Field required')
  const known = context.modelOf(model) ?? notFound(model)
  const cap = checkCap(body.max_tokens, model, known.maxOutputTokens)
  const thinking = checkThinkingField(body, cap)
  // A model that decides itself whether to think may not have thought.
  const mustHaveThought = objectOf(body.thinking)?.type === 'enabled'
  const messages = checkMessages(body.messages, mustHaveThought)
  const tools = checkTools(body, thinking !== null)
  const prompt = promptParts(body, messages, rule)
  const contextWindow = betas.includes('context-1m') ? LONG_CONTEXT_TOKENS : known.contextWindow
  const promptTokens = prompt.reduce((sum, { tokens }) => sum + tokens, 0)
  if (promptTokens > contextWindow) {
    badRequest(`prompt is too long: ${promptTokens} tokens > ${contextWindow} maximum`)
  }
  return {
    number: context.number,
    dialect: 'anthropic-messages',
    headers,
    body,
    model,
    isStream: body.stream === true,
    askedOutputTokens: cap,
    cap,
    choices: 1,
    ...tools,
    mayCallTools: tools.tools.length > 0 && tools.toolChoice !== 'none',
    thinking,
    schema: schemaOf(body),
    toolRounds: messages.filter((message) => idsOf(message, 'tool_use').length > 0).length,
    toolResults: toolResultsOf(messages),
    userText: userTextOf(messages),
    prompt,
  }
}

function notFound(model: string): never {
  throw new ProviderRefusal(404, `model: ${model}`)
}

function checkCap(value: unknown, model: string, most: number): number {
  if (!isGiven(value)) return badRequest('max_tokens: Field required')
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return badRequest('max_tokens: Input should be a valid integer')
  }
  if (value < 1) return badRequest('max_tokens: must be greater than or equal to 1')
  if (value > most) {
    return badRequest(
      `max_tokens: ${value} > ${most}, which is the maximum allowed number of output tokens for ${model}`,
    )
  }
  return value
}

function checkThinkingField(body: JsonObject, cap: number): ProviderRequest['thinking'] {
  const thinking = objectOf(body.thinking)
  if (thinking === null || thinking.type === 'disabled') return null
  if (isGiven(body.temperature) && body.temperature !== 1) {
    badRequest('`temperature` may only be set to 1 when thinking is enabled.')
  }
  if (isGiven(body.top_k)) badRequest('`top_k` must be unset when thinking is enabled.')
  if (thinking.type === 'adaptive' || thinking.type === 'between_tools') return { budgetTokens: cap }
  if (thinking.type !== 'enabled') badRequest("thinking: Input tag does not match any of the expected tags: 'enabled'")
  const budget = thinking.budget_tokens
  if (typeof budget !== 'number' || !Number.isInteger(budget)) {
    return badRequest('thinking.enabled.budget_tokens: Input should be a valid integer')
  }
  if (budget < SMALLEST_THINKING) {
    badRequest(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${SMALLEST_THINKING}`)
  }
  if (budget >= cap) badRequest('`max_tokens` must be greater than `thinking.budget_tokens`.')
  return { budgetTokens: budget }
}

function schemaOf(body: JsonObject): JsonObject | null {
  const format = objectOf(body.output_format) ?? objectOf(objectOf(body.output_config)?.format)
  return format?.type === 'json_schema' ? (objectOf(format.schema) ?? {}) : null
}

function toolResultsOf(messages: readonly Message[]): ProviderRequest['toolResults'] {
  return messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'tool_result'
        ? [{ toolCallId: textOf(block.tool_use_id), text: textOfContent(block.content) }]
        : [],
    ),
  )
}

function userTextOf(messages: readonly Message[]): string {
  const last = messages.findLast(({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type === 'text'))
  return textOfContent(last?.blocks)
}
