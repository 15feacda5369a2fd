import type { LookedThrough } from '../../../loop/request-view.ts'
import { type JsonBody, type JsonEdits, type JsonShape, readJson, readJsonAfter, splice } from '../../json/index.ts'
import type { EarlierRequest, WireRequest } from '../dialect.ts'
import type { JsonObject } from './json-value.ts'
import type { MessagePlace, WireMessage } from './wire-message.ts'
import { resultTextsOf } from './wire-result.ts'

/** Reads a body, but for what it has in common with an earlier one. `field` is the list that a conversation is. */
export function readBodyAfter(body: Buffer, shape: JsonShape, field: string, earlier?: EarlierRequest): JsonBody {
  if (earlier === undefined) return readJson(body, shape)
  return readJsonAfter(body, shape, { json: earlier.request.json, field, same: earlier.same })
}

/** The messages of a body: those of an earlier request as they are, and the others made by `create`. */
export function conversationOf<Message extends WireMessage>(
  { bytes: body }: JsonBody,
  { values, spans }: { readonly values: readonly JsonObject[]; readonly spans: JsonBody['root']['elements'] },
  create: (place: MessagePlace) => Message,
  earlier?: EarlierRequest,
): readonly Message[] {
  const messages = earlier === undefined ? [] : (earlier.request.conversation.slice(0, earlier.same) as Message[])
  for (const message of messages) message.letGoOfBody()
  for (let index = messages.length; index < values.length; index++) {
    messages.push(create({ body, value: values[index]!, span: spans[index]!, index }))
  }
  return messages
}

/** What a request knows from an earlier one before anybody has asked. */
export function knownFrom(
  conversation: readonly WireMessage[],
  earlier?: EarlierRequest,
): Pick<WireRequest, 'edited'> & { lookedThrough: LookedThrough | null } {
  if (earlier === undefined) return { edited: { spliced: null, same: 0 }, lookedThrough: null }
  const { same, request } = earlier
  const { edited, lookedThrough = null } = request
  const { end } = conversation[same - 1]!.span
  const texts = lookedThrough === null ? 0 : resultTextsOf(conversation.slice(0, same)).length
  return {
    edited: { spliced: edited.spliced, same: Math.min(edited.same, end) },
    lookedThrough: lookedThrough === null ? null : { ...lookedThrough, texts: Math.min(lookedThrough.texts, texts) },
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
