const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/** One answer of HTTP as it arrives. */
export interface AnswerReader {
  /** `200`; empty until the head is there. */
  readonly status: string
  /** Whether a byte of the body has arrived. */
  readonly hasBody: boolean
  /** Takes what has arrived. Returns whether the answer is whole with it. */
  push(bytes: Buffer): boolean
}

/**
 * Reads an answer without keeping its body, so that a stream of many writes costs the callers no more than its bytes.
 * Only for a connection with one request at a time: the end of an answer is then the end of what has arrived.
 */
export function readAnswer(): AnswerReader {
  let head: Buffer | null = Buffer.alloc(0)
  let status = ''
  let bodyLength = 0
  let expectedLength: number | null = null
  let tail = ''

  const takeBody = (bytes: Buffer): boolean => {
    bodyLength += bytes.length
    if (expectedLength !== null) return bodyLength >= expectedLength
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 7))).slice(-7)
    // A chunk may end like the last one: it is the last one only at the beginning of a line.
    return tail === LAST_CHUNK || tail === `\r\n${LAST_CHUNK}`
  }

  return {
    get status() {
      return status
    },
    get hasBody() {
      return bodyLength > 0
    },
    push(bytes) {
      if (head === null) return takeBody(bytes)
      head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
      const end = head.indexOf(HEAD_END)
      if (end === -1) return false
      const text = head.toString('latin1', 0, end).toLowerCase()
      const rest = head.subarray(end + HEAD_END.length)
      head = null
      status = text.slice(9, 12)
      expectedLength = text.includes('transfer-encoding: chunked') ? null : lengthIn(text)
      return takeBody(rest)
    },
  }
}

function lengthIn(head: string): number {
  return Number(/content-length: *(\d+)/.exec(head)?.[1] ?? 0)
}
