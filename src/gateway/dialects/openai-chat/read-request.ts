import { openAiSurcharge } from '../../../pricing/index.ts'
import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonBody } from '../../json/index.ts'
import type { RequestFields } from '../dialect.ts'
import { cacheMarkIn } from '../shared/openai/cache-mark.ts'
import { fieldParts } from '../shared/openai/field-parts.ts'
import { createRequestReader } from '../shared/request/create-request-reader.ts'
import { objectFrom } from '../shared/request/json-value.ts'
import { promptVariant } from '../shared/request/leading-part.ts'
import { readCount, readFlag, readList, readModel, readObjects, shown } from '../shared/request/request-fields.ts'
import { CHAT_MESSAGES } from './chat-message.ts'
import { CHAT_SHAPE } from './chat-shape.ts'
import { forcesToolIn, hasClientTools, isSchemaForced, providerToolsOf, unboundedIn } from './request-tools.ts'

// OpenAI's own bound on `n`.
const MOST_CHOICES = 128
// One provider drops the middle of prompts that are too long.
const VARYING = ['transforms']

/** Reads a request to `/v1/chat/completions`. */
export const readRequest = createRequestReader({
  shape: CHAT_SHAPE,
  list: 'messages',
  messages: CHAT_MESSAGES,
  readFields,
})

function readFields(json: JsonBody): RequestFields {
  const { value } = json
  const model = readModel(value)
  readList(value, 'messages', 'messages')
  const tools = readObjects(value, 'tools') ?? []
  const functions = readObjects(value, 'functions') ?? []
  const isStream = readFlag(value, 'stream')
  const forcesTool = forcesToolIn(value)
  return {
    forcesTool,
    model,
    isStream,
    maxOutputTokens: outputCapOf(readCount(value, 'max_completion_tokens'), readCount(value, 'max_tokens')),
    choices: choicesOf(readCount(value, 'n')),
    // An effort is not a number of tokens.
    thinkingBudget: null,
    cacheMark: cacheMarkIn(tools),
    priceFactor: openAiSurcharge(model, value.service_tier),
    hasTools: hasClientTools(value, tools, functions),
    mayAddTools: false,
    isFormForced: forcesTool || isSchemaForced(value),
    providerTools: providerToolsOf(value, tools),
    isServerHeld: false,
    unbounded: unboundedIn(value),
    hidesUsage: isStream && objectFrom(value.stream_options)?.include_usage !== true,
    leading: fieldParts(json, ['tools', 'functions', 'response_format'], 'tools'),
    variant: promptVariant(value, VARYING),
    messagesWithoutList: 0,
  }
}

/** A server may read either of the two, so the larger one counts. */
function outputCapOf(completion: number | null, all: number | null): number | null {
  return completion === null || all === null ? (completion ?? all) : Math.max(completion, all)
}

function choicesOf(choices: number | null): number {
  if (choices === null) return 1
  if (choices <= MOST_CHOICES) return choices
  throw new BadRequestError('n', `is ${shown(choices)}, but must be a whole number from 1 to ${MOST_CHOICES}`)
}
