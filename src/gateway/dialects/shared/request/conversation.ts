import { createResultKeys } from '../../../../loop/hints/result-hints.ts'
import { BadRequestError } from '../../../bad-request-error.ts'
import type { JsonSpan } from '../../../json/index.ts'
import type { EarlierRequest } from '../../dialect.ts'
import { objectFrom } from './json-value.ts'
import { shown } from './request-fields.ts'
import type { Conversation, Lineage } from './wire-conversation.ts'
import { type MessageReader, WireMessage } from './wire-message.ts'
import type { WireResult } from './wire-result.ts'

/** The new messages of a body. */
interface AddedMessages {
  readonly bytes: Buffer
  /** The name of the list that they are in. */
  readonly list: string
  readonly values: readonly unknown[]
  readonly spans: readonly JsonSpan[]
}

/** The conversation of a body: the messages of an earlier request, reused, and the new ones after them. */
export function growConversation(
  reader: MessageReader,
  { bytes, list, values, spans }: AddedMessages,
  earlier: EarlierRequest | undefined,
): Conversation {
  const { messages, results, lineage } = takenFrom(bytes, earlier)
  const taken = messages.length
  for (const [place, value] of values.entries()) {
    const object = objectFrom(value)
    const index = taken + place
    if (object === null) {
      throw new BadRequestError(`${list}[${index}]`, `is ${shown(value)}, but must be an object`)
    }
    const content = { body: bytes, value: object, span: spans[place]! }
    const found = reader.resultsOf(content, index)
    messages.push(new WireMessage(reader, content, found.length, messages.at(-1)))
    for (const { toolCallId } of found) {
      lineage.keyOf ??= createResultKeys(results)
      results.push({ toolCallId, key: lineage.keyOf(toolCallId), message: index })
    }
  }
  const conversation = { messages, results, taken, lineage }
  lineage.latest = conversation
  return conversation
}

function takenFrom(
  bytes: Buffer,
  earlier: EarlierRequest | undefined,
): { readonly messages: WireMessage[]; readonly results: WireResult[]; readonly lineage: Lineage } {
  if (earlier === undefined) return { messages: [], results: [], lineage: { latest: null, bytes, keyOf: null } }
  const { same, request } = earlier
  const { conversation } = request
  const isNext = conversation.lineage.latest === conversation && same >= conversation.taken
  const lineage = isNext ? conversation.lineage : { latest: null, bytes, keyOf: null }
  const messages = conversation.messages.slice(0, same)
  const results = conversation.results.slice(0, messages[same - 1]!.soFar.results)
  lineage.bytes = bytes
  if (results.length < conversation.results.length) lineage.keyOf = null
  for (let index = isNext ? conversation.taken : 0; index < same; index++) messages[index]!.letGo(lineage)
  return { messages, results, lineage }
}

/** How many of the last tool results came after the last answer of the model. */
export function newestResults({ messages, results }: Conversation): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const { kind, soFar } = messages[index]!
    if (kind === 'assistant') return results.length - soFar.results
  }
  return results.length
}

/** Every text in the tool results from this one on that may be changed. */
export function resultTextsIn({ messages, results }: Conversation, from = 0): readonly string[] {
  const first = results[from]?.message ?? messages.length
  const texts: string[] = []
  let place = messages[first - 1]?.soFar.results ?? 0
  for (let index = first; index < messages.length; index++) {
    if (messages[index]!.soFar.results === place) continue
    for (const result of messages[index]!.results()) if (place++ >= from) texts.push(...result.texts)
  }
  return texts
}
