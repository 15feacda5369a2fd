import type { PromptParts } from '../../../../loop/request-view.ts'
import { type JsonBody, type JsonShape, memberOf, readJson, readJsonAfter } from '../../../json/index.ts'
import type { EarlierRequest, RequestFields, WireRequest } from '../../dialect.ts'
import { longerMark } from './cache-marks.ts'
import { growConversation, newestResults, resultTextsIn } from './conversation.ts'
import { refuseLookAlikes } from './look-alikes.ts'
import type { MessageReader } from './wire-message.ts'

/** How a dialect reads its requests. */
interface RequestReader<Fields extends RequestFields> {
  readonly shape: JsonShape
  /** The field with the list of messages. */
  readonly list: string
  readonly messages: MessageReader
  /** Reads everything but the messages. Throws `BadRequestError`, which names the field and the fix. */
  readFields(json: JsonBody): Fields
}

/** Creates the request reader of a dialect. Parts that are the same as in an earlier request are not read again. */
export function createRequestReader<Fields extends RequestFields>({
  shape,
  list,
  messages: reader,
  readFields,
}: RequestReader<Fields>): (body: Buffer, earlier?: EarlierRequest) => WireRequest & { readonly fields: Fields } {
  return (body, earlier) => {
    const read = earlier === undefined ? readWhole(body, shape, list) : readNew(body, shape, list, earlier)
    const fields = read.isAlike ? (earlier!.request.fields as Fields) : readFields(read.json)
    const conversation = growConversation(reader, { ...read, bytes: body, list }, earlier)
    const { taken, messages, results } = conversation
    const last = messages.at(-1)?.soFar
    const { lookedThrough = null, edited = NOT_EDITED } = earlier?.request ?? {}
    const seen = Math.min(lookedThrough?.results ?? 0, messages[taken - 1]?.soFar.results ?? 0)
    let prompt: PromptParts | null = null
    return {
      ...fields,
      fields,
      body,
      json: read.isAlike ? read.json : withoutList(read.json, list),
      conversation,
      edited: earlier?.isLast === true ? { body: edited.body, same: Math.min(edited.same, taken) } : NOT_EDITED,
      lookedThrough: lookedThrough === null ? null : { ...lookedThrough, results: seen },
      messages: last?.messages ?? fields.messagesWithoutList,
      cacheMark: longerMark(fields.cacheMark, last?.cacheMark ?? 'none'),
      hasTools: fields.hasTools || (fields.mayAddTools && last?.addsClientTools === true),
      unbounded: last?.addsProviderTools === true ? [...fields.unbounded, `${list} (tool_addition)`] : fields.unbounded,
      toolResults: results,
      newestResults: newestResults(conversation),
      resultTexts: (from) => resultTextsIn(conversation, from),
      prompt() {
        if (prompt !== null) return prompt
        const { leading, variant } = fields
        const hasMedia = last?.hasMedia === true || leading.some(({ media }) => media.length > 0)
        prompt = { parts: leading.concat(messages), hasMedia, variant }
        return prompt
      },
    }
  }
}

const NOT_EDITED: WireRequest['edited'] = { body: null, same: 0 }

/** A body with its new messages. */
type ReadBody = ReturnType<typeof readJsonAfter>

function readWhole(body: Buffer, shape: JsonShape, list: string): ReadBody {
  const json = readJson(body, shape)
  refuseLookAlikes(json.root)
  const values = json.value[list]
  const spans = memberOf(json.root, list)?.elements ?? []
  return { json, values: Array.isArray(values) ? values : [], spans, isAlike: false }
}

function readNew(body: Buffer, shape: JsonShape, field: string, { request, same }: EarlierRequest): ReadBody {
  const { messages } = request.conversation
  const { end, soFar } = messages[same - 1]!
  const read = readJsonAfter(body, shape, {
    json: request.json,
    field,
    start: messages[0]!.start,
    end,
    values: soFar.values,
  })
  if (!read.isAlike) refuseLookAlikes(read.json.root)
  return read
}

/** The messages are kept one by one: the list would keep the contents of all of them. */
function withoutList({ bytes, value, root }: JsonBody, list: string): JsonBody {
  const { [list]: _, ...others } = value
  const members = root.members.map((member) =>
    member.key === list ? { ...member, value: { ...member.value, elements: [] } } : member,
  )
  return { bytes, value: Array.isArray(value[list]) ? others : value, root: { ...root, members } }
}
