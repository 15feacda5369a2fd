/** `text` replaces the bytes from `start` to `end`; if these are equal, it is inserted. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Edits in body order; two at one position keep their order. */
export function inBodyOrder(edits: readonly ByteEdit[]): readonly ByteEdit[] {
  return edits.toSorted((left, right) => left.start - right.start || left.end - right.end)
}

/**
 * The body from byte `from` on, with these edits in order, after `head`. Every other byte is copied unchanged.
 * Overlapping edits are a mistake of the caller.
 */
export function spliceBytes(body: Buffer, edits: readonly ByteEdit[], head: Buffer = NOTHING, from = 0): Buffer {
  if (edits.length === 0 && from === 0) return body
  let size = head.length + body.length - from
  for (const { start, end, text } of edits) size += Buffer.byteLength(text) - (end - start)
  const bytes = Buffer.allocUnsafe(size)
  let written = head.copy(bytes)
  let copied = from
  for (const { start, end, text } of edits) {
    if (start < copied || end < start || end > body.length) {
      throw new RangeError(`An edit from byte ${start} to ${end} of ${body.length} overlaps another or is outside.`)
    }
    written += body.copy(bytes, written, copied, start)
    written += bytes.write(text, written)
    copied = end
  }
  body.copy(bytes, written, copied)
  return bytes
}

const NOTHING = Buffer.alloc(0)
