import type { PromptPart } from '../../../loop/request-view.ts'
import { openAiSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonBody, JsonShape } from '../../json/index.ts'
import { fieldParts, unseenPart } from '../shared/openai/field-parts.ts'
import { createRequestReader } from '../shared/request/create-request-reader.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'
import { promptVariant } from '../shared/request/leading-part.ts'
import { readCount, readFlag, readList, readModel, readObjects } from '../shared/request/request-fields.ts'
import { INPUT_ITEMS } from './input-item.ts'
import { forcesToolIn, isClientTool, isSchemaForced, providerToolsOf, unboundedIn } from './request-tools.ts'
import type { ResponsesFields } from './responses-request.ts'

const SHAPE: JsonShape = {
  members: {
    input: { elements: INPUT_ITEMS.shape },
    tools: { elements: { members: {} } },
    tool_choice: { members: {} },
    text: { members: { format: { members: {} } } },
    reasoning: { members: {} },
  },
}
// If these allow it, parts that do not fit are dropped.
const VARYING = ['truncation', 'context_management']

/** Reads a request to `/v1/responses`. */
export const readRequest = createRequestReader({ shape: SHAPE, list: 'input', messages: INPUT_ITEMS, readFields })

function readFields(json: JsonBody): ResponsesFields {
  const { value } = json
  const model = readModel(value)
  if (readFlag(value, 'background')) {
    throw new BadRequestError('background', 'is true, but its usage could not be counted: leave it out')
  }
  if (typeof value.input !== 'string') readList(value, 'input')
  const tools = readObjects(value, 'tools') ?? []
  const forcesTool = forcesToolIn(value)
  return {
    tools,
    forcesTool,
    model,
    isStream: readFlag(value, 'stream'),
    maxOutputTokens: readCount(value, 'max_output_tokens'),
    choices: 1,
    // An effort is not a number of tokens.
    thinkingBudget: null,
    cacheMark: 'none',
    priceFactor: openAiSurcharge(model, value.service_tier),
    hasTools: value.tool_choice !== 'none' && tools.some(isClientTool),
    mayAddTools: false,
    isFormForced: forcesTool || isSchemaForced(value),
    providerTools: providerToolsOf(tools, readCount(value, 'max_tool_calls', 0)),
    isServerHeld: idIn(value.previous_response_id) !== '' || idIn(value.conversation) !== '',
    unbounded: unboundedIn(value),
    hidesUsage: false,
    leading: leadingParts(json),
    variant: promptVariant(value, VARYING),
    messagesWithoutList: typeof value.input === 'string' ? 1 : 0,
  }
}

/** Instructions, tools and schemas, data stored at the provider, and a plain text input. */
function leadingParts(json: JsonBody): readonly PromptPart[] {
  const { value } = json
  // A stored conversation grows, while a single answer does not: only the size of an answer can be known.
  const previous = textFrom(value.previous_response_id)
  const held = previous === '' ? [] : [{ ...unseenPart('assistant', previous), heldAnswerId: previous }]
  const unseen = [objectFrom(value.prompt)?.id, value.conversation].map(idIn).filter((id) => id !== '')
  return [
    ...fieldParts(json, ['instructions'], 'system'),
    ...fieldParts(json, ['tools', 'text'], 'tools'),
    ...held,
    ...unseen.map((id) => unseenPart('assistant', id)),
    ...(typeof value.input === 'string' ? fieldParts(json, ['input'], 'user') : []),
  ]
}

function idIn(stored: unknown): string {
  return textFrom(stored) || textFrom((objectFrom(stored) as JsonObject | null)?.id)
}
