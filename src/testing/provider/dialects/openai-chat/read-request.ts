import { MEDIA_TOKENS, type TokenRule } from '../../counting/token-rule.ts'
import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { PromptPart, ProviderRequest } from '../../provider-request.ts'
import { checkCap, checkModel, checkSampling } from '../openai-refusals.ts'
import { openAiRequest } from '../openai-request.ts'
import type { ReadContext } from '../provider-dialect.ts'
import { checkMessages } from './check-messages.ts'
import { checkTools } from './check-tools.ts'
import { FIELDS } from './fields.ts'

const MOST_CHOICES = 128

/** Reads a request to Chat Completions. Throws what the provider refuses. */
export function readRequest(body: JsonObject, context: ReadContext): ProviderRequest {
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field))
  if (unknown !== undefined) badRequest(`Unrecognized request argument supplied: ${unknown}`)
  const { model, known } = checkModel(body, context)
  const messages = checkMessages(body.messages)
  const askedOutputTokens = outputCapOf(body, known)
  checkSampling(body, known)
  checkStreamOptions(body)
  const tools = checkTools(body)
  const prompt = promptParts(body, messages, context.rule)
  return {
    ...openAiRequest({ body, context, model, known, askedOutputTokens, tools, prompt, promptField: 'messages' }),
    dialect: 'openai-chat',
    choices: choicesOf(body.n),
    schema: schemaOf(body, messages),
    maxWebSearches: 0,
    toolRounds: messages.filter((each) => isGiven(each.tool_calls) || isGiven(each.function_call)).length,
    toolResults: messages.flatMap((each) =>
      each.role === 'tool' ? [{ toolCallId: textOf(each.tool_call_id), text: textOfContent(each.content) }] : [],
    ),
    userText: textOfContent(messages.findLast(({ role }) => role === 'user')?.content),
  }
}

function outputCapOf(
  body: JsonObject,
  model: { readonly maxOutputTokens: number; readonly reasoningTokens?: number },
): number | null {
  const isOld = isGiven(body.max_tokens)
  if (isOld && isGiven(body.max_completion_tokens)) {
    badRequest("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
  }
  if (isOld && model.reasoningTokens !== undefined) {
    badRequest(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    )
  }
  return checkCap(body, isOld ? 'max_tokens' : 'max_completion_tokens', 1, model.maxOutputTokens)
}

function checkStreamOptions(body: JsonObject): void {
  if (isGiven(body.stream_options) && body.stream !== true) {
    badRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", { param: 'stream_options' })
  }
}

function choicesOf(value: unknown): number {
  if (!isGiven(value)) return 1
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_CHOICES) return value
  return badRequest(`Invalid 'n': expected an integer from 1 to ${MOST_CHOICES}.`, {
    param: 'n',
    code: 'invalid_value',
  })
}

function schemaOf(body: JsonObject, messages: readonly JsonObject[]): JsonObject | null {
  const format = objectOf(body.response_format)
  if (format?.type === 'json_schema') return objectOf(objectOf(format.json_schema)?.schema) ?? {}
  if (format?.type !== 'json_object') return null
  if (!/json/i.test(JSON.stringify(messages))) {
    badRequest(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      {
        param: 'messages',
      },
    )
  }
  return { type: 'object' }
}

/** The tools, then the messages, as the cache sees them. */
function promptParts(body: JsonObject, messages: readonly JsonObject[], rule: TokenRule): readonly PromptPart[] {
  const tools = [...objectsOf(body.tools), ...objectsOf(body.functions)]
  return [
    ...tools.map((tool) => JSON.stringify(tool)).map((key) => ({ key, tokens: rule.tokensOf(key), mark: null })),
    ...messages.map((each) => ({ key: JSON.stringify(each), tokens: messageTokens(each, rule), mark: null })),
  ]
}

function messageTokens(message: JsonObject, rule: TokenRule): number {
  const { content } = message
  const contentTokens =
    typeof content === 'string'
      ? rule.tokensOf(content)
      : objectsOf(content).reduce(
          (sum, part) => sum + (typeof part.text === 'string' ? rule.tokensOf(part.text) : MEDIA_TOKENS),
          0,
        )
  const calls = [
    ...objectsOf(message.tool_calls).map((call) => objectOf(call.function)),
    objectOf(message.function_call),
  ]
  return calls.reduce(
    (sum, call) => sum + rule.tokensOf(textOf(call?.name)) + rule.tokensOf(textOf(call?.arguments)),
    contentTokens,
  )
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join('')
}
