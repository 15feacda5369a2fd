/** One event of a stream, with its bytes. */
export interface ServerSentEvent {
  /** All bytes of the event, including the line that ends it. The bytes of all events are the bytes of the stream. */
  readonly bytes: Buffer
  /** The field `event`; empty without one. */
  readonly name: string
  /** The lines of the field `data`; `null` without one, as in a comment. */
  readonly data: string | null
  /** It is larger than the bound: its bytes come in pieces, and are not read. */
  readonly isTooLarge: boolean
  /**
   * It has lines that no event has. A client may read something else in them, such as an answer that is not a stream.
   */
  readonly isForeign: boolean
}

const BYTE_ORDER_MARK = '\ufeff'

/** Reads the fields of one event. Never throws: other lines are ignored, as the standard requires. */
export function readEvent(bytes: Buffer): ServerSentEvent {
  let name = ''
  let data: string | null = null
  let isForeign = false
  const text = bytes.toString('utf8')
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  for (const line of plain.includes('\r') ? plain.split(/\r\n|\r|\n/) : plain.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field !== 'data' && field !== 'event') {
      isForeign ||= line !== '' && field !== 'id' && field !== 'retry'
      continue
    }
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') name = value
    else data = data === null ? value : `${data}\n${value}`
  }
  return { bytes, name, data, isTooLarge: false, isForeign }
}

/**
 * Whether an event may contain something that a client can read and we cannot, and so any number of calls: anything
 * that is not an event, and data that begins like JSON but is not an object.
 */
export function isUnreadable({ data, isTooLarge, isForeign }: ServerSentEvent): boolean {
  return isTooLarge || isForeign || (data !== null && /^\s*[{[]/.test(data))
}

/** An event in the providers' format. `data` is one line, like JSON. */
export function formatEvent(name: string, data: string): string {
  return name === '' ? `data: ${data}\n\n` : `event: ${name}\ndata: ${data}\n\n`
}

/** The object in an event's data; `null` if it is not one. */
export function dataOf({ data }: ServerSentEvent): Record<string, unknown> | null {
  if (data === null) return null
  try {
    const value: unknown = JSON.parse(data)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
