/** One event of a stream, with the bytes that it came in. */
export interface ServerSentEvent {
  /** All bytes of the event up to and with the line that ends it. The bytes of all events are the bytes of the stream. */
  readonly bytes: Buffer
  /** Of the field `event`; empty without one. */
  readonly name: string
  /** The lines of the field `data`; `null` without one, as in a comment. */
  readonly data: string | null
  /** It, or what came of it so far, is larger than the bound: its bytes come in pieces, and nobody knows what it says. */
  readonly isTooLarge: boolean
  /** It has lines that no event has. A client may find something else in them, such as an answer that is no stream. */
  readonly isForeign: boolean
}

/** Reads the fields of one event. Never throws: what is no field is ignored, as the standard has it. */
export function readEvent(bytes: Buffer): ServerSentEvent {
  let name = ''
  let data: string | null = null
  let isForeign = false
  for (const line of linesOf(bytes.toString('utf8'))) {
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
 * Whether an event may hold what we cannot read and a client can: of such a one nobody can say how many calls are in it.
 * What is no event at all, and data that begins like JSON and is no object.
 */
export function isUnreadable({ data, isTooLarge, isForeign }: ServerSentEvent): boolean {
  return isTooLarge || isForeign || (data !== null && /^\s*[{[]/.test(data))
}

const BYTE_ORDER_MARK = '\ufeff'

function linesOf(text: string): readonly string[] {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  return plain.includes('\r') ? plain.split(/\r\n|\r|\n/) : plain.split('\n')
}

/** An event as the providers write it. `data` is one line, as JSON is. */
export function formatEvent(name: string, data: string): string {
  return name === '' ? `data: ${data}\n\n` : `event: ${name}\ndata: ${data}\n\n`
}
