import { hash } from 'node:crypto'
import {
  type ByteEdit,
  createJsonEdits,
  inBodyOrder,
  type JsonEdits,
  type JsonSpan,
  memberOf,
  spliceBytes,
} from '../../json/index.ts'

const CACHE_MARK = 'cache_control'

/** The digest of a part of the prompt, unaffected by a cache mark that moves. */
export function unmarkedDigest(bytes: Buffer, part: JsonSpan): string {
  return hash('sha256', unmarked(bytes, part), 'base64')
}

/**
 * The bytes of a part without its cache marks, with a lone text block reduced to its text: clients use the block form
 * to mark the newest message, and the plain form once it is no longer the newest.
 */
function unmarked(bytes: Buffer, part: JsonSpan): Buffer {
  const edits = createJsonEdits()
  removeMarks(edits, part)
  const content = memberOf(part, 'content')
  const text = content === null ? null : loneText(bytes, content)
  const own = bytes.subarray(part.start, part.end)
  if (text !== null) {
    const json = bytes.toString('utf8', text.start, text.end)
    return spliceBytes(own, shifted([{ start: content!.start, end: content!.end, text: json }], part.start))
  }
  return spliceBytes(own, shifted(inBodyOrder(edits.toByteEdits()), part.start))
}

function shifted(edits: readonly ByteEdit[], by: number): readonly ByteEdit[] {
  return edits.map(({ start, end, text }) => ({ start: start - by, end: end - by, text }))
}

function removeMarks(edits: JsonEdits, span: JsonSpan): void {
  for (const element of span.elements) removeMarks(edits, element)
  for (const { key, value } of span.members) {
    if (key === CACHE_MARK) edits.removeMember(span, key)
    else removeMarks(edits, value)
  }
}

function loneText(bytes: Buffer, content: JsonSpan): JsonSpan | null {
  const [block, ...others] = content.elements
  if (block === undefined || others.length > 0) return null
  const hasMore = block.members.some(({ key }) => key !== 'type' && key !== 'text' && key !== CACHE_MARK)
  const type = memberOf(block, 'type')
  if (hasMore || type === null || bytes.toString('latin1', type.start, type.end) !== '"text"') return null
  return memberOf(block, 'text')
}
