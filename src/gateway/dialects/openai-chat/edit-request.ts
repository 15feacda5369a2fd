import type { RequestEdits } from '../../../loop/request-view.ts'
import { createJsonEdits, type JsonEdits, type JsonSpan, memberOf } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import { closingEffort } from '../request/closing-effort.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import { editedBody } from '../request/read-conversation.ts'
import { applyTopLevel, type TopLevelEdits } from '../request/top-level-edits.ts'
import { editResults } from '../request/wire-result.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatRequest } from './chat-request.ts'
import { editTools } from './edit-tools.ts'
import { outputCapFields } from './output-cap-fields.ts'

/** The request with these changes. */
export function editRequest(wireRequest: WireRequest, edits: RequestEdits): Buffer {
  const request = wireRequest as ChatRequest
  const { json, conversation } = request
  const changes = createJsonEdits()
  const topLevel: TopLevelEdits = new Map()
  const messages = memberOf(json.root, 'messages')!

  if (edits.maxOutputTokens !== undefined) {
    for (const [field, asked] of outputCapFields(request)) {
      topLevel.set(field, String(Math.min(asked, edits.maxOutputTokens)))
    }
  }
  if (edits.includeUsage && request.isStream) askForUsage(changes, topLevel, json.root, json.value)
  if (edits.closing !== undefined) thinkLess(topLevel, request)
  editTools(changes, topLevel, request, edits)
  applyTopLevel(changes, json.root, topLevel)
  editResults(changes, conversation.results, edits)
  if (edits.promptLine !== undefined) addPromptLine(changes, messages, conversation.messages, edits.promptLine)
  if (edits.closing !== undefined) addClosingText(changes, messages, conversation.messages, edits.closing.text)
  return editedBody(request, changes)
}

/** What is held back for the closing answer has no room for long thoughts. */
function thinkLess(topLevel: TopLevelEdits, { json, model }: ChatRequest): void {
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

/** Behind the system messages that lead the conversation, in the role that the last of them has. */
function addPromptLine(
  changes: JsonEdits,
  messages: JsonSpan,
  conversation: readonly ChatMessage[],
  content: string,
): void {
  const first = conversation.findIndex(({ kind }) => kind !== 'system')
  const place = first === -1 ? conversation.length : first
  const role = conversation[place - 1]?.value.role ?? 'system'
  changes.insertElement(messages, place, JSON.stringify({ role, content }))
}

/** Two messages of the user in a row are refused by some who speak this dialect: then it is added to the last one. */
function addClosingText(
  changes: JsonEdits,
  messages: JsonSpan,
  conversation: readonly ChatMessage[],
  text: string,
): void {
  const last = conversation.at(-1)?.value
  const content = memberOf(messages.elements.at(-1), 'content')
  if (last?.role === 'user' && content?.kind === 'string' && last.content !== '') {
    changes.appendText(content, `\n\n${text}`)
  } else if (last?.role === 'user' && content?.kind === 'array') {
    changes.appendElement(content, JSON.stringify({ type: 'text', text }))
  } else changes.appendElement(messages, JSON.stringify({ role: 'user', content: text }))
}
