import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { isPlainObject } from '../../core/index.ts'

/** One line of a transcript: a message of the conversation, or a note about the run. */
export interface ConversationLine {
  readonly at: string
  readonly type: string
  readonly message?: { readonly role: string; readonly content: unknown; readonly [field: string]: unknown }
  readonly note?: string
  readonly [field: string]: unknown
}

/** A part of a conversation. */
export interface Conversation {
  readonly lines: readonly ConversationLine[]
  /** Where to continue: the place in the file, in bytes. */
  readonly next: number
  readonly hasMore: boolean
}

const PIECE_BYTES = 65_536
// A line longer than this is skipped, and so is what follows it in the same part.
const MOST_BYTES = 4_194_304

/**
 * Reads whole lines of a transcript from a place in its file on. A line that is still being written is left for the next
 * time. `file`: `null` if there is none yet.
 */
export function readConversation(
  file: string | null,
  { from, most }: { readonly from: number; readonly most: number },
): Conversation {
  if (file === null || !existsSync(file)) return { lines: [], next: from, hasMore: false }
  const descriptor = openSync(file, 'r')
  try {
    return readLines(descriptor, from, most)
  } finally {
    closeSync(descriptor)
  }
}

function readLines(descriptor: number, from: number, most: number): Conversation {
  const lines: ConversationLine[] = []
  const decoder = new StringDecoder('utf8')
  const piece = Buffer.alloc(PIECE_BYTES)
  let rest = ''
  let next = from
  for (let at = from; at - from < MOST_BYTES; ) {
    const bytes = readSync(descriptor, piece, 0, PIECE_BYTES, at)
    if (bytes === 0) return { lines, next, hasMore: false }
    at += bytes
    const whole = (rest + decoder.write(piece.subarray(0, bytes))).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) {
      next += Buffer.byteLength(line) + 1
      const read = lineFrom(line)
      if (read !== null) lines.push(read)
      if (lines.length === most) return { lines, next, hasMore: true }
    }
  }
  return { lines, next: Math.max(next, from + 1), hasMore: true }
}

function lineFrom(text: string): ConversationLine | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isPlainObject(value)) return null
    const { at, type, message, note, ...rest } = value
    if (typeof at !== 'string' || typeof type !== 'string') return null
    const line = typeof note === 'string' ? { ...rest, at, type, note } : { ...rest, at, type }
    if (!isPlainObject(message) || typeof message.role !== 'string') return line
    return { ...line, message: { ...message, role: message.role, content: message.content } }
  } catch {
    // A process was killed in the middle of it.
    return null
  }
}
