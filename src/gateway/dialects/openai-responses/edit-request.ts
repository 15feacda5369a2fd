import type { RequestEdits } from '../../../loop/request-view.ts'
import { type ByteEdit, createJsonEdits, type JsonEdits, memberOf } from '../../json/index.ts'
import { addMessage } from '../shared/request/add-message.ts'
import { closingEffort } from '../shared/request/closing-effort.ts'
import { createRequestEditor } from '../shared/request/edited-body.ts'
import { objectFrom } from '../shared/request/json-value.ts'
import { applyTopLevel, type TopLevelEdits } from '../shared/request/top-level-edits.ts'
import { editTools } from './edit-tools.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** The request with these edits. */
export const editRequest = createRequestEditor(findEdits)

function findEdits(request: ResponsesRequest, edits: RequestEdits): readonly ByteEdit[] {
  const { json, maxOutputTokens } = request
  const changes = createJsonEdits()
  const topLevel: TopLevelEdits = new Map()

  if (edits.maxOutputTokens !== undefined) {
    const cap = Math.min(maxOutputTokens ?? Number.POSITIVE_INFINITY, edits.maxOutputTokens)
    if (cap !== maxOutputTokens) topLevel.set('max_output_tokens', String(cap))
  }
  editTools(changes, topLevel, request, edits)
  if (edits.promptLine !== undefined) addPromptLine(changes, topLevel, request, edits.promptLine)
  if (edits.closing !== undefined) {
    thinkLess(changes, request)
    addClosingText(changes, topLevel, request, edits.closing.text)
  }
  applyTopLevel(changes, json.root, topLevel)
  return changes.toByteEdits()
}

function addPromptLine(
  changes: JsonEdits,
  topLevel: TopLevelEdits,
  { json: { root, value } }: ResponsesRequest,
  line: string,
): void {
  const span = memberOf(root, 'instructions')
  if (span?.kind === 'string' && value.instructions !== '') changes.appendText(span, `\n\n${line}`)
  else topLevel.set('instructions', JSON.stringify(line))
}

/** The hold for the closing answer has no room for long thinking. */
function thinkLess(changes: JsonEdits, { json: { root, value }, model }: ResponsesRequest): void {
  const effort = closingEffort(model, objectFrom(value.reasoning)?.effort)
  if (effort !== null) changes.setMember(memberOf(root, 'reasoning')!, 'effort', JSON.stringify(effort))
}

function addClosingText(changes: JsonEdits, topLevel: TopLevelEdits, request: ResponsesRequest, text: string): void {
  const { messages } = request.conversation
  const part = { type: 'input_text', text }
  const input = memberOf(request.json.root, 'input')
  const last = messages.at(-1)?.content()
  const content = memberOf(last?.span, 'content')
  const isUser = last?.value.role === 'user'
  if (input?.kind === 'string') changes.appendText(input, `\n\n${text}`)
  else if (input?.kind !== 'array') topLevel.set('input', JSON.stringify(text))
  else if (isUser && content?.kind === 'string') changes.appendText(content, `\n\n${text}`)
  else if (isUser && content?.kind === 'array') changes.appendElement(content, JSON.stringify(part))
  else {
    const message = { type: 'message', role: 'user', content: [part] }
    addMessage(changes, request, { list: 'input', index: messages.length, message })
  }
}
