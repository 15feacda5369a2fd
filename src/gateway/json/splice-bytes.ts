/** `text` in the place of the bytes from `start` to `end`; with `start` = `end` it is put in. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The body with these edits, in whatever order they are given; two at one place keep theirs. Every other byte is copied as
 * it is. No edit: the very same body. Edits that overlap are a mistake of the caller's.
 */
export function spliceBytes(body: Buffer, edits: readonly ByteEdit[]): Buffer {
  if (edits.length === 0) return body
  const ordered = edits.toSorted((left, right) => left.start - right.start || left.end - right.end)
  let size = body.length
  for (const { start, end, text } of ordered) size += Buffer.byteLength(text) - (end - start)
  const spliced = Buffer.allocUnsafe(size)
  let written = 0
  let copied = 0
  for (const { start, end, text } of ordered) {
    if (start < copied || end < start || end > body.length) {
      throw new RangeError(`An edit from byte ${start} to ${end} of ${body.length} overlaps another or is outside.`)
    }
    written += body.copy(spliced, written, copied, start)
    written += spliced.write(text, written)
    copied = end
  }
  body.copy(spliced, written, copied)
  return spliced
}
