import type { JsonShape } from '../../json/index.ts'
import { contentText } from '../shared/openai/content-text.ts'
import { partDigest, partMedia, sha256 } from '../shared/openai/part-digest.ts'
import type { FoundMedia } from '../shared/request/encoded-file.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import type { MessageContent, MessageFacts, MessageReader } from '../shared/request/wire-message.ts'
import type { ResultSource } from '../shared/request/wire-result.ts'
import { resultTextsIn, writeResult } from './edit-results.ts'

/** Results of tools that the client ran. */
const RESULTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'computer_call_output',
])
const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])
const PARTS: JsonShape = { elements: { members: {} } }
const NO_RESULTS: readonly ResultSource[] = []
const UNSEEN: readonly FoundMedia[] = [{ part: { kind: 'other', bytes: null }, bodyBytes: 0 }]

/** The items of an input. */
export const INPUT_ITEMS: MessageReader = {
  shape: { members: { content: PARTS, output: PARTS } },
  joinsAnswers: true,
  read: readItem,
  textOf: itemText,
  resultsOf({ value, span }) {
    if (!isToolResult(value)) return NO_RESULTS
    const result: ResultSource = {
      toolCallId: textFrom(value.call_id) || textFrom(value.id),
      texts: resultTextsIn(value),
      write: (edits, change) => writeResult(edits, span, value, change),
    }
    return [result]
  },
}

function readItem({ body, value, span }: MessageContent): MessageFacts {
  const { role } = value
  const isOfUser = role === 'user' || isToolResult(value)
  // Anything that the user, the operator or the client did not write is the model's: text, reasoning, calls.
  const kind = SYSTEM_ROLES.has(role) ? 'system' : isOfUser ? 'user' : 'assistant'
  if (isUnseen(value)) {
    return { kind, digest: sha256(`unseen ${textFrom(value.id)}`), media: UNSEEN, cacheMark: 'none' }
  }
  const output = objectFrom(value.output)
  const contents = [...objectsFrom(value.content), ...objectsFrom(value.output), ...(output === null ? [] : [output])]
  const digest = partDigest(body.subarray(span.start, span.end), value)
  return { kind, digest, media: partMedia(value, contents), cacheMark: 'none' }
}

function isToolResult({ type, execution }: JsonObject): boolean {
  return RESULTS.has(type) || (type === 'tool_search_output' && execution === 'client')
}

/** Not in the body: an item stored at the provider. */
function isUnseen({ type, role }: JsonObject): boolean {
  return type === 'item_reference' || (type === undefined && role === undefined)
}

function itemText({ body, value, span }: MessageContent): string {
  if (isUnseen(value)) return ''
  switch (value.type ?? 'message') {
    case 'message':
      return contentText(value.content)
    case 'function_call':
      return `${textFrom(value.name)} ${textFrom(value.arguments)}`
    case 'custom_tool_call':
      return `${textFrom(value.name)} ${textFrom(value.input)}`
    case 'function_call_output':
    case 'custom_tool_call_output':
      return contentText(value.output)
    case 'computer_call_output':
      return ''
    default:
      return body.toString('utf8', span.start, span.end)
  }
}
