import { anthropicSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonBody } from '../../json/index.ts'
import { createRequestReader } from '../shared/request/create-request-reader.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import { promptVariant } from '../shared/request/leading-part.ts'
import { readCount, readFlag, readList, readObjects, shown } from '../shared/request/request-fields.ts'
import { ANTHROPIC_MESSAGES, readTextOrBlocks } from './anthropic-message.ts'
import { fieldsMark } from './cache-mark.ts'
import { leadingParts } from './leading-parts.ts'
import { MESSAGES_SHAPE, type MessagesFields } from './messages-request.ts'
import { requestTools } from './request-tools.ts'

// These decide whether old results are dropped, and whether earlier thinking is read.
const VARYING = ['context_management', 'thinking']

/** Reads what the gateway needs to know of a request. Throws `BadRequestError`, which names the field and the fix. */
export const readRequest = createRequestReader({
  shape: MESSAGES_SHAPE,
  list: 'messages',
  messages: ANTHROPIC_MESSAGES,
  readFields,
})

function readFields(json: JsonBody): MessagesFields {
  const body = json.value
  readList(body, 'messages', 'messages')
  const toolList = readObjects(body, 'tools') ?? []
  const serverList = readObjects(body, 'mcp_servers') ?? []
  const toolChoice = readObject(body, 'tool_choice')
  const tools = requestTools(toolList, serverList)
  const forcesTool = toolChoice?.type === 'any' || toolChoice?.type === 'tool'
  const mayCallTools = toolChoice?.type !== 'none'
  readTextOrBlocks(body.system, 'system')
  return {
    toolList,
    serverList,
    forcesTool,
    model: readModel(body),
    isStream: readFlag(body, 'stream'),
    maxOutputTokens: readCount(body, 'max_tokens', 0),
    choices: 1,
    thinkingBudget: readThinkingBudget(body),
    cacheMark: fieldsMark(body),
    priceFactor: anthropicSurcharge(String(body.model), { speed: body.speed, inferenceGeo: body.inference_geo }),
    hasTools: tools.hasClientTools && mayCallTools,
    mayAddTools: mayCallTools,
    isFormForced: forcesTool || asksForSchema(body),
    providerTools: mayCallTools ? tools.providerTools : [],
    isServerHeld: objectFrom(body.thread) !== null,
    unbounded: unboundedFields(body),
    hidesUsage: false,
    leading: leadingParts(json),
    variant: promptVariant(body, VARYING),
    messagesWithoutList: 0,
  }
}

function readModel({ model }: JsonObject): string {
  if (typeof model === 'string' && model !== '') return model
  throw new BadRequestError('model', `is ${shown(model)}, but must name a model, e.g. "claude-sonnet-4-5"`)
}

function readObject(body: JsonObject, field: string): JsonObject | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  const object = objectFrom(value)
  if (object === null) throw new BadRequestError(field, `is ${shown(value)}, but must be an object with a "type"`)
  return object
}

/** Adaptive thinking takes an unknown amount: anything up to the output cap. */
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

// Other models at other prices, and summaries that the usage does not include.
function unboundedFields(body: JsonObject): readonly string[] {
  const edits = objectsFrom(objectFrom(body.context_management)?.edits)
  const fields = ['fallbacks', 'compaction'].filter((field) => body[field] !== undefined && body[field] !== null)
  if (edits.some(({ type }) => textFrom(type).startsWith('compact_'))) fields.push('context_management')
  return fields
}
