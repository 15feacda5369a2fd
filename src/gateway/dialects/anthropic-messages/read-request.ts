import { anthropicSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { EarlierRequest } from '../dialect.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { refuseLookAlikes } from '../request/look-alikes.ts'
import { conversationOf, knownFrom, readBody } from '../request/read-conversation.ts'
import { readCount, readFlag, readObjects, shown } from '../request/request-fields.ts'
import type { MessagePlace } from '../request/wire-message.ts'
import { resultTextsOf, toolResultsOf } from '../request/wire-result.ts'
import { AnthropicMessage } from './anthropic-message.ts'
import { cacheMarkOf } from './cache-mark.ts'
import { MESSAGES_SHAPE, type MessagesRequest } from './messages-request.ts'
import { promptParts } from './prompt-parts.ts'
import { requestTools } from './request-tools.ts'

const create = (place: MessagePlace): AnthropicMessage => new AnthropicMessage(place)

/** Reads what the gateway must know of a request. Throws `BadRequestError`, which names the field and the fix. */
export function readRequest(bytes: Buffer, earlier?: EarlierRequest): MessagesRequest {
  const json = readBody(bytes, MESSAGES_SHAPE, 'messages', earlier)
  const body = json.value
  refuseLookAlikes(json.root)
  const values = readMessages(body, earlier?.same)
  const conversation = conversationOf(json, { field: 'messages', values, create }, earlier)
  const toolList = readObjects(body, 'tools') ?? []
  const serverList = readObjects(body, 'mcp_servers') ?? []
  const toolChoice = readObject(body, 'tool_choice')
  const tools = requestTools(toolList, serverList, conversation.messages)
  const forcesTool = toolChoice?.type === 'any' || toolChoice?.type === 'tool'
  readTextOrBlocks(body.system, 'system')
  const prompt = promptParts(json, conversation.messages)
  return {
    body: bytes,
    json,
    conversation,
    ...knownFrom(conversation, earlier),
    toolList,
    serverList,
    forcesTool,
    model: readModel(body),
    isStream: readFlag(body, 'stream'),
    messages: values.length,
    maxOutputTokens: readCount(body, 'max_tokens', 0),
    choices: 1,
    thinkingBudget: readThinkingBudget(body),
    cacheMark: cacheMarkOf(body, conversation.messages),
    priceFactor: anthropicSurcharge(String(body.model), { speed: body.speed, inferenceGeo: body.inference_geo }),
    hasTools: tools.hasClientTools && toolChoice?.type !== 'none',
    isFormForced: forcesTool || asksForSchema(body),
    providerTools: toolChoice?.type === 'none' ? [] : tools.providerTools,
    isServerHeld: objectFrom(body.thread) !== null,
    previousAnswerId: textFrom(objectFrom(body.thread)?.previous_message_id) || null,
    unbounded: unboundedFields(body, tools.hasAddedProviderTools),
    asksForUsage: true,
    toolResults: toolResultsOf(conversation.messages, conversation.results),
    resultTexts: (fromResult) => resultTextsOf(conversation.results.slice(fromResult)),
    prompt: () => prompt,
  }
}

function readModel({ model }: JsonObject): string {
  if (typeof model === 'string' && model !== '') return model
  throw new BadRequestError('model', `is ${shown(model)}, but must name a model, e.g. "claude-sonnet-4-5"`)
}

function readMessages(body: JsonObject, known = 0): readonly JsonObject[] {
  const messages = readObjects(body, 'messages', known)
  if (messages === null) throw new BadRequestError('messages', 'is missing, but must be a list of messages')
  messages.slice(known).forEach(({ role, content }, place) => {
    const index = known + place
    if (typeof role !== 'string') {
      throw new BadRequestError(`messages[${index}].role`, `is ${shown(role)}, but must be "user" or "assistant"`)
    }
    readTextOrBlocks(content, `messages[${index}].content`)
  })
  return messages
}

function readTextOrBlocks(value: unknown, place: string): void {
  if (value === undefined || value === null || typeof value === 'string') return
  if (!Array.isArray(value)) {
    throw new BadRequestError(place, `is ${shown(value)}, but must be a text or a list of blocks`)
  }
  const index = value.findIndex((block) => objectFrom(block) === null)
  if (index !== -1) throw new BadRequestError(`${place}[${index}]`, `is ${shown(value[index])}, but must be an object`)
}

function readObject(body: JsonObject, field: string): JsonObject | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  const object = objectFrom(value)
  if (object === null) throw new BadRequestError(field, `is ${shown(value)}, but must be an object with a "type"`)
  return object
}

/** Of adaptive thinking nobody can say how much it will be: it takes what it likes of the output cap. */
function readThinkingBudget(body: JsonObject): number | null {
  const thinking = readObject(body, 'thinking')
  if (thinking?.type !== 'enabled') return null
  const budget = readCount(thinking, 'budget_tokens')
  if (budget === null) {
    throw new BadRequestError('thinking.budget_tokens', 'is missing, but must be a whole number from 1024')
  }
  return budget
}

function asksForSchema(body: JsonObject): boolean {
  const format = objectFrom(body.output_config)?.format ?? body.output_format
  return format !== undefined && format !== null
}

// Other models at other prices, summaries that the usage leaves out, tools that nobody listed.
function unboundedFields(body: JsonObject, hasAddedProviderTools: boolean): readonly string[] {
  const edits = objectsFrom(objectFrom(body.context_management)?.edits)
  const fields = ['fallbacks', 'compaction'].filter((field) => body[field] !== undefined && body[field] !== null)
  if (edits.some(({ type }) => textFrom(type).startsWith('compact_'))) fields.push('context_management')
  if (hasAddedProviderTools) fields.push('messages (tool_addition)')
  return fields
}
