/** The part of a request that a prepared answer needs. */
export interface Frame {
  /** Request line and headers. */
  readonly head: string
  readonly body: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const LONGEST_HEAD = 64 * 1024

/**
 * Splits the bytes of a connection into requests. Takes what arrives, and returns the requests that are complete. Throws
 * if it is not HTTP. Supports only what keep-alive clients use, since it is for measurements.
 */
export function createFrameReader(): (bytes: Buffer) => readonly Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const frames: Frame[] = []
    for (;;) {
      const found = nextFrame(rest)
      if (found === null) return frames
      frames.push(found.frame)
      rest = rest.subarray(found.end)
      if (rest.length === 0) return frames
    }
  }
}

function nextFrame(bytes: Buffer): { readonly frame: Frame; readonly end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) {
    if (bytes.length > LONGEST_HEAD) throw new Error('the head of a request is too long')
    return null
  }
  const head = bytes.toString('latin1', 0, headEnd)
  const start = headEnd + HEAD_END.length
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return chunkedFrame(bytes, head, start)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  const end = start + length
  return bytes.length < end ? null : { frame: { head, body: bytes.subarray(start, end) }, end }
}

function chunkedFrame(bytes: Buffer, head: string, start: number) {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf(LINE_END, at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!Number.isSafeInteger(size)) throw new Error('a chunk has no size')
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { frame: { head, body: Buffer.concat(chunks) }, end }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}
