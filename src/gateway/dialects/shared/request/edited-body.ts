import type { RequestEdits } from '../../../../loop/request-view.ts'
import { type ByteEdit, createJsonEdits, type EditedHead, inBodyOrder, spliceBytes } from '../../../json/index.ts'
import type { WireRequest } from '../../dialect.ts'
import type { KnownEdits } from './known-edits.ts'

/** Finds the bytes of a request that change, apart from its tool results. In no particular order. */
type FindEdits<Request extends WireRequest> = (request: Request, changes: RequestEdits) => readonly ByteEdit[]

/**
 * Creates the request editor of a dialect. Without edits: the same bytes. A beginning that was sent before with the
 * same edits is copied as a whole.
 */
export function createRequestEditor<Request extends WireRequest>(
  findEdits: FindEdits<Request>,
): (request: WireRequest, changes: RequestEdits) => Buffer {
  return (request, changes) => {
    if (request.edited.body?.memory === 'taken') request.edited = { body: null, same: 0 }
    const { body, conversation, edited } = request
    const { messages } = conversation
    const others = repeatedEdits(request, changes) ?? inBodyOrder(findEdits(request as Request, changes))
    const leftOut = changes.closing?.resultsLeftOut ?? 0
    const first = leftOut > 0 ? 0 : messagesAsBefore(request, others, changes)
    const from = messages[first - 1]?.end ?? 0
    const fresh = resultEdits(request, changes, first)
    for (const edit of others) if (edit.start >= from) fresh.push(edit)
    const ordered = fresh.length < 2 ? fresh : inBodyOrder(fresh)
    const before = edited.body?.ends.slice(0, first) ?? []
    const bytes = spliceBytes(body, ordered, takeHead(edited, before.at(-1)), from)
    if (leftOut === 0 && bytes !== body) {
      const ends = before.concat(endsOf(request, first, ordered, (before.at(-1) ?? 0) - from))
      const known = { fields: request.fields, bodyBytes: body.length, lastEnd: messages.at(-1)?.end ?? body.length }
      request.edited = { body: { bytes, ...known, changes, others, ends, memory: 'in use' }, same: messages.length }
    }
    return bytes
  }
}

/** The beginning that was sent before. Only one body can take its memory. */
function takeHead({ body }: KnownEdits, end = 0): EditedHead | null {
  if (body === null || end === 0) return null
  const isFree = body.memory === 'free'
  if (isFree) body.memory = 'taken'
  return { bytes: body.bytes.subarray(0, end), isFree }
}

/** The upstream has answered these bytes: the next body of the conversation may take their memory. */
export function freeEdited({ edited: { body } }: WireRequest, sent: Buffer): void {
  if (body?.bytes === sent) body.memory = 'free'
}

/**
 * The edits apart from tool results, if they are the same as in the body sent before, in bytes that both share; `null`
 * if they may differ.
 */
function repeatedEdits(
  { body, fields, conversation, edited: { body: known, same } }: WireRequest,
  changes: RequestEdits,
): readonly ByteEdit[] | null {
  if (known === null || known.fields !== fields) return null
  for (const name of CHANGES) if (changes[name] !== known.changes[name]) return null
  const end = conversation.messages[same - 1]?.end ?? 0
  const by = body.length - known.bodyBytes
  const edits: ByteEdit[] = []
  for (const edit of known.others) {
    if (edit.start < end) edits.push(edit)
    // After the messages, all bytes are the same as before, as long as the fields are.
    else if (edit.start > known.lastEnd) edits.push({ start: edit.start + by, end: edit.end + by, text: edit.text })
    else return null
  }
  return edits
}

const BESIDE_RESULTS: Readonly<Record<Exclude<keyof RequestEdits, 'hints' | 'defused'>, true>> = {
  maxOutputTokens: true,
  thinkingBudget: true,
  includeUsage: true,
  promptLine: true,
  withoutParallelTools: true,
  providerToolUses: true,
  forbiddenTools: true,
  providerToolContents: true,
  maxProviderCalls: true,
  closing: true,
}
const CHANGES = Object.keys(BESIDE_RESULTS) as readonly (keyof typeof BESIDE_RESULTS)[]

/** How many leading messages are sent as before: the hint on the last tool result may be new. */
function messagesAsBefore(
  { conversation: { messages, results }, edited: { body: known, same } }: WireRequest,
  others: readonly ByteEdit[],
  { hints }: RequestEdits,
): number {
  if (known === null || known.changes.hints !== hints) return 0
  const first = Math.min(same, results.at(-1)?.message ?? same)
  const end = messages[first - 1]?.end ?? 0
  for (let index = 0; ; index++) {
    const [edit, other] = [others[index], known.others[index]]
    const isIn = edit !== undefined && edit.start < end
    if (isIn !== (other !== undefined && other.start < end)) return 0
    if (!isIn) return first
    if (edit.start !== other!.start || edit.end !== other!.end || edit.text !== other!.text) return 0
  }
}

/** Hints, look-alikes and dropped results in the messages from `first` on. */
function resultEdits(
  { conversation: { messages, results } }: WireRequest,
  { hints, defused, closing }: RequestEdits,
  first: number,
): ByteEdit[] {
  const leftOut = closing?.resultsLeftOut ?? 0
  let place = messages[first - 1]?.soFar.results ?? 0
  if (place === results.length) return []
  const edits = createJsonEdits()
  for (let index = first; index < messages.length && place < results.length; index++) {
    if (messages[index]!.soFar.results === place) continue
    for (const result of messages[index]!.results()) {
      const hint = hints?.get(results[place]!.key) ?? null
      const isLeftOut = place++ < leftOut
      if (hint !== null || isLeftOut || defused !== undefined) result.write(edits, { hint, defused, isLeftOut })
    }
  }
  return edits.toByteEdits()
}

/** Where the messages from `first` on end after these edits, in bytes that have moved by `shift`. */
function endsOf(
  { conversation: { messages } }: WireRequest,
  first: number,
  edits: readonly ByteEdit[],
  shift: number,
): readonly number[] {
  const ends: number[] = []
  let moved = shift
  let next = 0
  for (let index = first; index < messages.length; index++) {
    const { end } = messages[index]!
    for (; next < edits.length && edits[next]!.start < end; next++) {
      const edit = edits[next]!
      moved += Buffer.byteLength(edit.text) - (edit.end - edit.start)
    }
    ends.push(end + moved)
  }
  return ends
}
