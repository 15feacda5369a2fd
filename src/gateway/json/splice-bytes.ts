/** `text` in the place of the bytes from `start` to `end`; with `start` = `end` it is put in. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A body with its edits. */
export interface Spliced {
  readonly bytes: Buffer
  /** In the order of the body, and where in `bytes` each of them ends. */
  readonly edits: readonly ByteEdit[]
  readonly ends: readonly number[]
}

/** What was made of a body that has its first `same` bytes in common with another one. */
export interface KnownSplice {
  readonly spliced: Spliced | null
  readonly same: number
}

/** The body with these edits. See `splice`. */
export function spliceBytes(body: Buffer, edits: readonly ByteEdit[]): Buffer {
  return edits.length === 0 ? body : splice(body, edits).bytes
}

/**
 * The body with these edits, in whatever order they are given; two at one place keep theirs. Every other byte is copied as
 * it is. Edits that overlap are a mistake of the caller's. As far as the beginning is `known` with the same edits, it is
 * copied as a whole.
 */
export function splice(body: Buffer, edits: readonly ByteEdit[], known: KnownSplice = NOTHING_KNOWN): Spliced {
  const ordered = edits.toSorted((left, right) => left.start - right.start || left.end - right.end)
  const { spliced, same } = known
  const shared = spliced === null ? 0 : sharedEdits(ordered, spliced.edits, same)
  const ends = spliced === null ? [] : spliced.ends.slice(0, shared)
  let copied = shared === 0 ? 0 : ordered[shared - 1]!.end
  let written = shared === 0 ? 0 : ends[shared - 1]!
  let size = written + body.length - copied
  for (let index = shared; index < ordered.length; index++) {
    const { start, end, text } = ordered[index]!
    size += Buffer.byteLength(text) - (end - start)
  }
  const bytes = Buffer.allocUnsafe(size)
  if (shared > 0) spliced!.bytes.copy(bytes, 0, 0, written)
  for (let index = shared; index < ordered.length; index++) {
    const { start, end, text } = ordered[index]!
    if (start < copied || end < start || end > body.length) {
      throw new RangeError(`An edit from byte ${start} to ${end} of ${body.length} overlaps another or is outside.`)
    }
    written += body.copy(bytes, written, copied, start)
    written += bytes.write(text, written)
    copied = end
    ends.push(written)
  }
  body.copy(bytes, written, copied)
  return { bytes, edits: ordered, ends }
}

const NOTHING_KNOWN: KnownSplice = { spliced: null, same: 0 }

/** How many edits come first in both, in bytes that both bodies have. */
function sharedEdits(edits: readonly ByteEdit[], others: readonly ByteEdit[], same: number): number {
  const most = Math.min(edits.length, others.length)
  for (let index = 0; index < most; index++) {
    const edit = edits[index]!
    const other = others[index]!
    if (edit.end > same) return index
    if (edit === other) continue
    if (edit.start !== other.start || edit.end !== other.end || edit.text !== other.text) return index
  }
  return most
}
