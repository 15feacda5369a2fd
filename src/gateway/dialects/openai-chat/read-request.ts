import type { PromptParts } from '../../../loop/request-view.ts'
import { openAiSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonShape } from '../../json/index.ts'
import type { EarlierRequest } from '../dialect.ts'
import { cacheMarkOf } from '../openai/cache-mark.ts'
import { objectFrom } from '../request/json-value.ts'
import { refuseLookAlikes } from '../request/look-alikes.ts'
import { conversationOf, knownFrom, readBody } from '../request/read-conversation.ts'
import { readCount, readFlag, readModel, readObjects, shown } from '../request/request-fields.ts'
import type { MessagePlace } from '../request/wire-message.ts'
import { resultTextsOf, toolResultsOf } from '../request/wire-result.ts'
import { ChatMessage } from './chat-message.ts'
import type { ChatRequest } from './chat-request.ts'
import { promptPartsOf } from './prompt-parts.ts'
import { forcesToolIn, hasClientTools, isSchemaForced, providerToolsOf, unboundedIn } from './request-tools.ts'

const CALL: JsonShape = { members: {} }
const CALLS: JsonShape = { elements: { members: { function: CALL, custom: CALL } } }
const SHAPE: JsonShape = {
  members: {
    messages: {
      elements: { members: { content: { elements: { members: {} } }, tool_calls: CALLS, function_call: CALL } },
    },
    tools: { elements: { members: {} } },
    functions: { elements: {} },
    tool_choice: { members: { allowed_tools: { members: {} } } },
    function_call: { members: {} },
    response_format: { members: {} },
    stream_options: { members: {} },
  },
}

// OpenAI's own bound on `n`.
const MOST_CHOICES = 128

const create = (place: MessagePlace): ChatMessage => new ChatMessage(place)

/** Reads a request to `/v1/chat/completions`. */
export function readRequest(body: Buffer, earlier?: EarlierRequest): ChatRequest {
  const json = readBody(body, SHAPE, 'messages', earlier)
  const { value } = json
  refuseLookAlikes(json.root)
  const model = readModel(value)
  const values = readObjects(value, 'messages', earlier?.same)
  if (values === null) throw new BadRequestError('messages', 'is missing, but must be a list of messages')
  const tools = readObjects(value, 'tools') ?? []
  const functions = readObjects(value, 'functions') ?? []
  const isStream = readFlag(value, 'stream')
  const forcesTool = forcesToolIn(value)
  const conversation = conversationOf(json, { field: 'messages', values, create }, earlier)
  let prompt: PromptParts | null = null
  return {
    body,
    json,
    conversation,
    ...knownFrom(conversation, earlier),
    forcesTool,
    model,
    isStream,
    messages: conversation.messages.reduce((sum, { kind }) => (kind === 'system' ? sum : sum + 1), 0),
    maxOutputTokens: outputCapOf(readCount(value, 'max_completion_tokens'), readCount(value, 'max_tokens')),
    choices: choicesOf(readCount(value, 'n')),
    // An effort is no number of tokens.
    thinkingBudget: null,
    cacheMark: cacheMarkOf(conversation.messages, tools),
    priceFactor: openAiSurcharge(model, value.service_tier),
    hasTools: hasClientTools(value, tools, functions),
    isFormForced: forcesTool || isSchemaForced(value),
    providerTools: providerToolsOf(value, tools),
    isServerHeld: false,
    unbounded: unboundedIn(value),
    asksForUsage: objectFrom(value.stream_options)?.include_usage === true,
    toolResults: toolResultsOf(conversation.messages, conversation.results),
    resultTexts: (fromResult) => resultTextsOf(conversation.results.slice(fromResult)),
    prompt() {
      prompt ??= promptPartsOf(json, conversation.messages)
      return prompt
    },
  }
}

/** Nobody says which of the two a server looks at, so the larger one counts. */
function outputCapOf(completion: number | null, all: number | null): number | null {
  return completion === null || all === null ? (completion ?? all) : Math.max(completion, all)
}

function choicesOf(choices: number | null): number {
  if (choices === null) return 1
  if (choices <= MOST_CHOICES) return choices
  throw new BadRequestError('n', `is ${shown(choices)}, but must be a whole number from 1 to ${MOST_CHOICES}`)
}
