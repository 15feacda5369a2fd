import { read } from 'node:fs'
import { promisify } from 'node:util'
import { describeBinary } from './describe-binary.ts'

const readAsync = promisify(read)

export interface LinesAsked {
  /** The first line, from 1. */
  readonly offset: number
  readonly limit: number
  /** The most characters of all lines together. */
  readonly mostCharacters: number
  readonly signal: AbortSignal | undefined
}

export type LinesRead =
  | { readonly kind: 'binary'; readonly what: string }
  | {
      readonly kind: 'text'
      readonly lines: readonly string[]
      /** Why these are not the last lines of the file; `null` if they are. */
      readonly cut: 'limit' | 'characters' | 'far' | null
      /** How many lines were seen: all of them only if `cut` is `null`. */
      readonly seen: number
    }

const CHUNK_BYTES = 64 * 1024
const LONGEST_LINE = 2_000
// Too far to page through line by line.
const FARTHEST_BYTES = 256 * 1024 * 1024

/** Reads some lines of an open file. Memory is bounded, however long the file or its lines are. */
export async function readLines(descriptor: number, asked: LinesAsked): Promise<LinesRead> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const decoder = new TextDecoder()
  const lines: string[] = []
  let characters = 0
  let line = ''
  let lineLength = 0
  let number = 1
  let position = 0
  const isWanted = (): boolean => number >= asked.offset
  const take = (part: string): void => {
    lineLength += part.length
    if (isWanted() && line.length < LONGEST_LINE) line += part.slice(0, LONGEST_LINE - line.length)
  }
  /** Ends the line; returns whether another fits. */
  const endLine = (): boolean => {
    if (isWanted()) {
      const shown = shownLine(line, lineLength)
      characters += shown.length + String(number).length + 2
      if (characters > asked.mostCharacters && lines.length > 0) return false
      lines.push(shown)
    }
    number++
    line = ''
    lineLength = 0
    return true
  }
  for (;;) {
    asked.signal?.throwIfAborted()
    const { bytesRead } = await readAsync(descriptor, buffer, 0, CHUNK_BYTES, position)
    const chunk = buffer.subarray(0, bytesRead)
    const what = position === 0 ? describeBinary(chunk) : null
    if (what !== null) return { kind: 'binary', what }
    position += bytesRead
    const isLast = bytesRead === 0
    const parts = decoder.decode(chunk, { stream: !isLast }).split('\n')
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        if (!endLine()) return { kind: 'text', lines, cut: 'characters', seen: number }
        if (lines.length >= asked.limit) {
          const isAtEnd = isLast || (index === parts.length - 1 && part === '' && (await isEnd(descriptor, position)))
          return { kind: 'text', lines, cut: isAtEnd ? null : 'limit', seen: number - 1 }
        }
      }
      take(part)
    }
    if (isLast) break
    if (position >= FARTHEST_BYTES) return { kind: 'text', lines, cut: 'far', seen: number }
  }
  // A trailing newline is not an additional, empty line.
  if (lineLength > 0 && !endLine()) return { kind: 'text', lines, cut: 'characters', seen: number }
  return { kind: 'text', lines, cut: null, seen: number - 1 }
}

async function isEnd(descriptor: number, position: number): Promise<boolean> {
  const { bytesRead } = await readAsync(descriptor, Buffer.alloc(1), 0, 1, position)
  return bytesRead === 0
}

function shownLine(line: string, length: number): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return length > LONGEST_LINE ? `${text}… (${length} characters)` : text
}
