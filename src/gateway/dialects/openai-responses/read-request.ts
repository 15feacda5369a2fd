import type { PromptParts } from '../../../loop/request-view.ts'
import { openAiSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonShape } from '../../json/index.ts'
import type { EarlierRequest } from '../dialect.ts'
import { type JsonObject, objectFrom, textFrom } from '../request/json-value.ts'
import { refuseLookAlikes } from '../request/look-alikes.ts'
import { conversationOf, knownFrom, readBody } from '../request/read-conversation.ts'
import { readCount, readFlag, readModel, readObjects } from '../request/request-fields.ts'
import type { MessagePlace } from '../request/wire-message.ts'
import { resultTextsOf, toolResultsOf } from '../request/wire-result.ts'
import { InputItem } from './input-item.ts'
import { promptPartsOf } from './prompt-parts.ts'
import { forcesToolIn, isClientTool, isSchemaForced, providerToolsOf, unboundedIn } from './request-tools.ts'
import type { ResponsesRequest } from './responses-request.ts'

const PARTS: JsonShape = { elements: { members: {} } }
const SHAPE: JsonShape = {
  members: {
    input: { elements: { members: { content: PARTS, output: PARTS } } },
    tools: { elements: { members: {} } },
    tool_choice: { members: {} },
    text: { members: { format: { members: {} } } },
    reasoning: { members: {} },
  },
}

const create = (place: MessagePlace): InputItem => new InputItem(place)

/** Reads a request to `/v1/responses`. */
export function readRequest(body: Buffer, earlier?: EarlierRequest): ResponsesRequest {
  const json = readBody(body, SHAPE, 'input', earlier)
  const { value } = json
  refuseLookAlikes(json.root)
  const model = readModel(value)
  if (readFlag(value, 'background')) {
    throw new BadRequestError('background', 'is true, but nobody would be there to count what it used: leave it out')
  }
  const values = typeof value.input === 'string' ? [] : (readObjects(value, 'input', earlier?.same) ?? [])
  const tools = readObjects(value, 'tools') ?? []
  const conversation = conversationOf(json, { field: 'input', values, create }, earlier)
  const forcesTool = forcesToolIn(value)
  const previousAnswerId = previousAnswerIdOf(value)
  let prompt: PromptParts | null = null
  return {
    body,
    json,
    conversation,
    ...knownFrom(conversation, earlier),
    tools,
    forcesTool,
    model,
    isStream: readFlag(value, 'stream'),
    messages: typeof value.input === 'string' ? 1 : messagesIn(conversation.messages),
    maxOutputTokens: readCount(value, 'max_output_tokens'),
    choices: 1,
    // An effort is no number of tokens.
    thinkingBudget: null,
    cacheMark: 'none',
    priceFactor: openAiSurcharge(model, value.service_tier),
    hasTools: value.tool_choice !== 'none' && tools.some(isClientTool),
    isFormForced: forcesTool || isSchemaForced(value),
    providerTools: providerToolsOf(tools, readCount(value, 'max_tool_calls', 0)),
    isServerHeld: previousAnswerId !== null,
    previousAnswerId,
    unbounded: unboundedIn(value),
    asksForUsage: true,
    toolResults: toolResultsOf(conversation.messages, conversation.results),
    resultTexts: (fromResult) => resultTextsOf(conversation.results.slice(fromResult)),
    prompt() {
      prompt ??= promptPartsOf(json, conversation.messages)
      return prompt
    },
  }
}

function previousAnswerIdOf({ previous_response_id: previous, conversation }: JsonObject): string | null {
  const id = textFrom(previous) || textFrom(conversation) || textFrom(objectFrom(conversation)?.id)
  return id === '' ? null : id
}

/** As many messages as the same conversation has in the other dialects: what the model says in a row is one. */
function messagesIn(items: readonly InputItem[]): number {
  let messages = 0
  items.forEach(({ kind }, index) => {
    const isGoingOn = kind === 'assistant' && index > 0 && items[index - 1]!.kind === 'assistant'
    if (kind !== 'system' && !isGoingOn) messages++
  })
  return messages
}
