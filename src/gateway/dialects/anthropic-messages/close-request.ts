import { type JsonEdits, memberOf } from '../../json/index.ts'
import { addMessage } from '../shared/request/add-message.ts'
import { closingEffort } from '../shared/request/closing-effort.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import type { MessagesRequest } from './messages-request.ts'

const NOT_RUN = 'Not run: a limit was reached. Do not call it again; answer with what you have and what is missing.'

/** Adds the closing text: as the last block of the last message if that is the user's, else as a new message. */
export function closeRequest(edits: JsonEdits, request: MessagesRequest, text: string, body: JsonObject): void {
  const { messages } = request.conversation
  const last = messages.at(-1)?.content()
  const block = { type: 'text', text }
  const closing = JSON.stringify(block)
  lowerEffort(edits, request, body)
  if (last?.value.role !== 'user') {
    const message = { role: 'user', content: [...unansweredIn(last?.value).map(notRun), block] }
    addMessage(edits, request, { list: 'messages', index: messages.length, message })
    return
  }
  const content = memberOf(last.span, 'content')
  if (content?.kind === 'array') edits.appendElement(content, closing)
  else if (content?.kind === 'string' && last.value.content !== '') {
    const said = last.body.toString('utf8', content.start, content.end)
    edits.replace(content, `[{"type":"text","text":${said}},${closing}]`)
  } else edits.setMember(last.span, 'content', `[${closing}]`)
}

function lowerEffort(edits: JsonEdits, { json, model }: MessagesRequest, body: JsonObject): void {
  const config = memberOf(json.root, 'output_config')
  const effort = closingEffort(model, objectFrom(body.output_config)?.effort)
  if (config !== null && effort !== null) edits.setMember(config, 'effort', JSON.stringify(effort))
}

// A call without a result would be refused.
function unansweredIn(last: JsonObject | undefined): readonly string[] {
  if (last?.role !== 'assistant') return []
  return objectsFrom(last.content).flatMap(({ type, id }) => (type === 'tool_use' ? [textFrom(id)] : []))
}

function notRun(id: string): object {
  return { type: 'tool_result', tool_use_id: id, content: NOT_RUN }
}
