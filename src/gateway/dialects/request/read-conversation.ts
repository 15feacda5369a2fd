import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { LookedThrough } from '../../../loop/request-view.ts'
import {
  type JsonBody,
  type JsonEdits,
  type JsonShape,
  type JsonSpan,
  memberOf,
  readJson,
  readJsonAfter,
  splice,
} from '../../json/index.ts'
import type { EarlierRequest, WireRequest } from '../dialect.ts'
import type { Conversation } from './conversation.ts'
import type { JsonObject } from './json-value.ts'
import type { MessagePlace, WireMessage } from './wire-message.ts'
import { WireResult } from './wire-result.ts'

/** Reads a body, but for what it has in common with an earlier one. `field` is the list that a conversation is. */
export function readBody(body: Buffer, shape: JsonShape, field: string, earlier?: EarlierRequest): JsonBody {
  if (earlier === undefined) return readJson(body, shape)
  return readJsonAfter(body, shape, { json: earlier.request.json, field, same: earlier.same })
}

interface ConversationSource<Message> {
  /** The list in the body, and its values. */
  readonly field: string
  readonly values: readonly JsonObject[]
  readonly create: (place: MessagePlace) => Message
}

/** The conversation of a body: the messages of an earlier request as they are, and behind them those that are new. */
export function conversationOf<Message extends WireMessage>(
  { bytes: body, root }: JsonBody,
  { field, values, create }: ConversationSource<Message>,
  earlier?: EarlierRequest,
): Conversation<Message> {
  const { messages, results } = takenFrom<Message>(earlier)
  const taken = messages.length
  const spans: readonly JsonSpan[] = memberOf(root, field)?.elements ?? []
  let keyOf: ReturnType<typeof createResultKeys> | null = null
  for (let index = taken; index < values.length; index++) {
    const message = create({ body, value: values[index]!, span: spans[index]!, index })
    messages.push(message)
    for (const result of message.results()) {
      keyOf ??= createResultKeys(results)
      results.push(new WireResult(result, keyOf(result.toolCallId), index))
    }
  }
  return { messages, results, taken }
}

function takenFrom<Message extends WireMessage>(
  earlier: EarlierRequest | undefined,
): { readonly messages: Message[]; readonly results: WireResult[] } {
  if (earlier === undefined) return { messages: [], results: [] }
  const { messages, results, taken } = earlier.request.conversation
  const { same } = earlier
  // Those that it had taken itself let go of their bodies then.
  for (let index = taken; index < same; index++) messages[index]!.letGoOfBody()
  return { messages: messages.slice(0, same) as Message[], results: results.slice(0, resultsBefore(same, results)) }
}

function resultsBefore(message: number, results: readonly WireResult[]): number {
  return results.findLastIndex((result) => result.message < message) + 1
}

/** What a request knows from an earlier one. */
export function knownFrom(
  { messages, results }: Conversation,
  earlier?: EarlierRequest,
): Pick<WireRequest, 'edited'> & { lookedThrough: LookedThrough | null } {
  if (earlier === undefined) return { edited: { spliced: null, same: 0 }, lookedThrough: null }
  const { same, request } = earlier
  const { edited, lookedThrough = null } = request
  return {
    edited: { spliced: edited.spliced, same: Math.min(edited.same, messages[same - 1]!.span.end) },
    lookedThrough:
      lookedThrough === null
        ? null
        : { ...lookedThrough, results: Math.min(lookedThrough.results, resultsBefore(same, results)) },
  }
}

/** The body of a request with these edits; no edit: the very same bytes. Kept for a later request that begins like it. */
export function editedBody(request: WireRequest, edits: JsonEdits): Buffer {
  const { body } = request
  const found = edits.toByteEdits()
  if (found.length === 0) return body
  const spliced = splice(body, found, request.edited)
  request.edited = { spliced, same: body.length }
  return spliced.bytes
}
