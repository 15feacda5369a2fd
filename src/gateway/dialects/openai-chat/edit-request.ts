import type { RequestEdits } from '../../../loop/request-view.ts'
import { type ByteEdit, createJsonEdits, type JsonEdits, type JsonSpan, memberOf } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import { addMessage } from '../shared/request/add-message.ts'
import { closingEffort } from '../shared/request/closing-effort.ts'
import { createRequestEditor } from '../shared/request/edited-body.ts'
import { type JsonObject, objectFrom } from '../shared/request/json-value.ts'
import { applyTopLevel, type TopLevelEdits } from '../shared/request/top-level-edits.ts'
import { editTools } from './edit-tools.ts'
import { outputCapFields } from './output-cap-fields.ts'

/** The request with these edits. */
export const editRequest = createRequestEditor(findEdits)

function findEdits(request: WireRequest, edits: RequestEdits): readonly ByteEdit[] {
  const { json } = request
  const changes = createJsonEdits()
  const topLevel: TopLevelEdits = new Map()

  if (edits.maxOutputTokens !== undefined) {
    for (const [field, asked] of outputCapFields(request)) {
      topLevel.set(field, String(Math.min(asked, edits.maxOutputTokens)))
    }
  }
  if (edits.includeUsage && request.isStream) askForUsage(changes, topLevel, json.root, json.value)
  if (edits.closing !== undefined) thinkLess(topLevel, request)
  editTools(changes, topLevel, request, edits)
  applyTopLevel(changes, json.root, topLevel)
  if (edits.promptLine !== undefined) addPromptLine(changes, request, edits.promptLine)
  if (edits.closing !== undefined) addClosingText(changes, request, edits.closing.text)
  return changes.toByteEdits()
}

/** The hold for the closing answer has no room for long thinking. */
function thinkLess(topLevel: TopLevelEdits, { json, model }: WireRequest): void {
  const effort = closingEffort(model, json.value.reasoning_effort)
  if (effort !== null) topLevel.set('reasoning_effort', JSON.stringify(effort))
}

function askForUsage(changes: JsonEdits, topLevel: TopLevelEdits, root: JsonSpan, value: JsonObject): void {
  const options = memberOf(root, 'stream_options')
  if (options === null || options.kind !== 'object') topLevel.set('stream_options', '{"include_usage":true}')
  else if (objectFrom(value.stream_options)?.include_usage !== true) {
    changes.setMember(options, 'include_usage', 'true')
  }
}

/** After the leading system messages, in the role of the last of them. */
function addPromptLine(changes: JsonEdits, request: WireRequest, content: string): void {
  const { messages } = request.conversation
  const first = messages.findIndex(({ kind }) => kind !== 'system')
  const index = first === -1 ? messages.length : first
  const role = messages[index - 1]?.content().value.role ?? 'system'
  addMessage(changes, request, { list: 'messages', index, message: { role, content } })
}

/** Some providers refuse two user messages in a row: then it is appended to the last one. */
function addClosingText(changes: JsonEdits, request: WireRequest, text: string): void {
  const { messages } = request.conversation
  const last = messages.at(-1)?.content()
  const content = memberOf(last?.span, 'content')
  const isUser = last?.value.role === 'user'
  if (isUser && content?.kind === 'string' && last.value.content !== '') changes.appendText(content, `\n\n${text}`)
  else if (isUser && content?.kind === 'array') changes.appendElement(content, JSON.stringify({ type: 'text', text }))
  else {
    const message = { role: 'user', content: text }
    addMessage(changes, request, { list: 'messages', index: messages.length, message })
  }
}
