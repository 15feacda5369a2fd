import { readEvent, type ServerSentEvent } from './server-sent-event.ts'

/** Splits a stream of bytes into events without changing a byte. Never throws. */
export interface EventSplitter {
  /** The events that these bytes complete. */
  push(bytes: Buffer): readonly ServerSentEvent[]
  /** What is left when the stream ends in the middle of an event; `null` if nothing is. */
  end(): ServerSentEvent | null
}

// An image that a model drew comes as one event of some megabytes.
const LARGEST_EVENT_BYTES = 16 * 1024 * 1024
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Lines end with LF, CRLF or CR; an empty line ends an event. Where the bytes are cut into pieces makes no difference. */
export function createEventSplitter(largestEventBytes: number = LARGEST_EVENT_BYTES): EventSplitter {
  let pieces: Buffer[] = []
  let size = 0
  let isLineEmpty = true
  let isAfterReturn = false
  let isTooLarge = false

  const joined = (piece: Buffer): Buffer => {
    const bytes = Buffer.concat([...pieces, piece])
    pieces = []
    size = 0
    return bytes
  }

  return {
    push(bytes) {
      const events: ServerSentEvent[] = []
      let start = 0
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        // The second half of a CRLF. If the first half ended an event, and its bytes are gone, it begins the next one's.
        const isSecondHalf = byte === LINE_FEED && isAfterReturn
        isAfterReturn = byte === CARRIAGE_RETURN
        if (isSecondHalf) continue
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
          isLineEmpty = false
          continue
        }
        if (!isLineEmpty) {
          isLineEmpty = true
          continue
        }
        if (isAfterReturn && bytes[at + 1] === LINE_FEED) {
          at++
          isAfterReturn = false
        }
        const piece = bytes.subarray(start, at + 1)
        const event = size === 0 ? piece : joined(piece)
        events.push(isTooLarge || event.length > largestEventBytes ? tooLarge(event) : readEvent(event))
        isTooLarge = false
        start = at + 1
      }
      if (start === bytes.length) return events
      const rest = start === 0 ? bytes : bytes.subarray(start)
      if (isTooLarge || size + rest.length > largestEventBytes) {
        isTooLarge = true
        events.push(tooLarge(joined(rest)))
      } else {
        pieces.push(rest)
        size += rest.length
      }
      return events
    },
    end() {
      return size === 0 ? null : readEvent(joined(Buffer.alloc(0)))
    },
  }
}

function tooLarge(bytes: Buffer): ServerSentEvent {
  return { bytes, name: '', data: null, isTooLarge: true, isForeign: false }
}
