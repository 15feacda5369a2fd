import type { RequestEdits } from '../../../loop/request-view.ts'
import { type ByteEdit, createJsonEdits, type JsonEdits, memberOf } from '../../json/index.ts'
import { createRequestEditor } from '../shared/request/edited-body.ts'
import { applyTopLevel, type TopLevelEdits } from '../shared/request/top-level-edits.ts'
import { closeRequest } from './close-request.ts'
import { editTools } from './edit-tools.ts'
import type { MessagesRequest } from './messages-request.ts'

/** The request with these edits: only the bytes that change are rewritten. Without edits: the same bytes. */
export const editRequest = createRequestEditor(findEdits)

function findEdits(request: MessagesRequest, changes: RequestEdits): readonly ByteEdit[] {
  const { root, value } = request.json
  const edits = createJsonEdits()
  const topLevel: TopLevelEdits = new Map()

  if (changes.maxOutputTokens !== undefined) topLevel.set('max_tokens', String(changes.maxOutputTokens))
  const thinking = memberOf(root, 'thinking')
  // Only an existing budget can shrink: thinking is never switched on or off in mid-conversation.
  if (changes.thinkingBudget !== undefined && thinking !== null && request.thinkingBudget !== null) {
    edits.setMember(thinking, 'budget_tokens', String(changes.thinkingBudget))
  }
  if (changes.promptLine !== undefined) addPromptLine(edits, request, changes.promptLine, topLevel)
  editTools(edits, request, changes, topLevel)
  if (changes.closing !== undefined) closeRequest(edits, request, changes.closing.text, value)
  applyTopLevel(edits, root, topLevel)
  return edits.toByteEdits()
}

/** A last block without a cache mark. A system prompt that is one text stays one. */
function addPromptLine(edits: JsonEdits, { json }: MessagesRequest, line: string, topLevel: TopLevelEdits): void {
  const span = memberOf(json.root, 'system')
  const { system } = json.value
  if (span === null || system === null || system === '') topLevel.set('system', JSON.stringify(line))
  else if (typeof system === 'string') edits.appendText(span, `\n\n${line}`)
  else edits.appendElement(span, JSON.stringify({ type: 'text', text: line }))
}
