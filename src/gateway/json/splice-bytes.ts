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

/** The beginning of bytes that were spliced before. */
export interface EditedHead {
  readonly bytes: Buffer
  /** Nothing reads what comes after it any more, so that may be written over. */
  readonly isFree: boolean
}

/**
 * The body from byte `from` on, with these edits in order, after `head`. Every other byte is copied unchanged.
 * Overlapping edits are a mistake of the caller.
 */
export function spliceBytes(
  body: Buffer,
  edits: readonly ByteEdit[],
  head: EditedHead | null = null,
  from = 0,
): Buffer {
  if (edits.length === 0 && from === 0) return body
  let size = (head?.bytes.length ?? 0) + body.length - from
  for (const { start, end, text } of edits) size += Buffer.byteLength(text) - (end - start)
  const bytes = head === null ? Buffer.allocUnsafeSlow(size) : bytesAfter(head, size)
  let written = head?.bytes.length ?? 0
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

// For the next requests of a conversation: each adds a little to the one before.
const SPARE_SHARE = 1 / 8

/**
 * `size` bytes that begin with the head, if possible in its own memory: with large bodies, collecting a copy of each
 * request takes most of the CPU. No spliced bytes share memory with others, as those of `allocUnsafe` may.
 */
function bytesAfter({ bytes: head, isFree }: EditedHead, size: number): Buffer {
  const { buffer, byteOffset } = head
  if (isFree && byteOffset + size <= buffer.byteLength) return Buffer.from(buffer, byteOffset, size)
  const memory = Buffer.allocUnsafeSlow(Math.ceil(size * (1 + SPARE_SHARE)))
  head.copy(memory)
  return memory.subarray(0, size)
}
