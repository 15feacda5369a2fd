import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import { createJsonEdits, memberOf, spliceBytes } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import { editResult } from '../request/edit-result.ts'
import { type JsonObject, textFrom } from '../request/json-value.ts'
import { applyTopLevel, type TopLevelEdits } from '../request/top-level-edits.ts'
import { closeRequest } from './close-request.ts'
import { editTools } from './edit-tools.ts'
import type { MessagesRequest } from './messages-request.ts'

/** The request with these changes: only the bytes that change are written anew. No change: the same bytes. */
export function editRequest(wireRequest: WireRequest, changes: RequestEdits): Buffer {
  const request = wireRequest as MessagesRequest
  const { root, value, bytes } = request.json
  const edits = createJsonEdits()
  const topLevel: TopLevelEdits = new Map()

  if (changes.maxOutputTokens !== undefined) topLevel.set('max_tokens', String(changes.maxOutputTokens))
  const thinking = memberOf(root, 'thinking')
  // Only a budget that is there can shrink: thinking is never switched on or off in mid-conversation.
  if (changes.thinkingBudget !== undefined && thinking !== null && request.thinkingBudget !== null) {
    edits.setMember(thinking, 'budget_tokens', String(changes.thinkingBudget))
  }
  if (changes.promptLine !== undefined) addPromptLine(edits, request, changes.promptLine, topLevel)
  editTools(edits, request, changes, topLevel)
  if (changes.hints !== undefined || changes.defused !== undefined || changes.closing?.resultsLeftOut) {
    editResults(edits, request, changes)
  }
  if (changes.closing !== undefined) closeRequest(edits, request, changes.closing.text, value)
  applyTopLevel(edits, root, topLevel)
  return spliceBytes(bytes, edits.toByteEdits())
}

type Edits = ReturnType<typeof createJsonEdits>

/** A last block without a cache mark. A system prompt that is one text stays one. */
function addPromptLine(edits: Edits, { json }: MessagesRequest, line: string, topLevel: TopLevelEdits): void {
  const span = memberOf(json.root, 'system')
  const { system } = json.value
  if (span === null || system === null || system === '') topLevel.set('system', JSON.stringify(line))
  else if (typeof system === 'string') edits.appendText(span, `\n\n${line}`)
  else edits.appendElement(span, JSON.stringify({ type: 'text', text: line }))
}

/** Hints, look-alikes and left-out results, each block by its tool-call id and its place in the order. */
function editResults(edits: Edits, request: MessagesRequest, changes: RequestEdits): void {
  const { hints, defused, closing } = changes
  const messages = memberOf(request.json.root, 'messages')!
  const keyOf = createResultKeys()
  let seen = 0
  for (const [index, { content }] of request.messageList.entries()) {
    if (!Array.isArray(content)) continue
    const blocks = memberOf(messages.elements[index], 'content')!.elements
    for (const [place, block] of (content as readonly JsonObject[]).entries()) {
      if (block.type !== 'tool_result') continue
      const isLeftOut = seen++ < (closing?.resultsLeftOut ?? 0)
      const hint = hints?.get(keyOf(textFrom(block.tool_use_id))) ?? null
      editResult(
        edits,
        { holder: blocks[place]!, value: block, field: 'content', textType: 'text' },
        { hint, defused, isLeftOut },
      )
    }
  }
}
