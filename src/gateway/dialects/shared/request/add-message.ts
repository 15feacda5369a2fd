import { type JsonEdits, memberOf } from '../../../json/index.ts'
import type { WireRequest } from '../../dialect.ts'

/** Inserts a message before the one with this index, or after the last one. */
export function addMessage(
  edits: JsonEdits,
  { json, conversation: { messages } }: WireRequest,
  { list, index, message }: { readonly list: string; readonly index: number; readonly message: object },
): void {
  const added = JSON.stringify(message)
  const next = messages[index]
  const last = messages.at(-1)
  if (next !== undefined) edits.include([{ start: next.start, end: next.start, text: `${added},` }])
  else if (last !== undefined) edits.include([{ start: last.end, end: last.end, text: `,${added}` }])
  else edits.appendElement(memberOf(json.root, list)!, added)
}
