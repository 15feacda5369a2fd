import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The largest file that is read as an agent. */
export const LARGEST_FILE_BYTES = 256 * 1024

/** A file as text, or why it cannot be read. */
export type TextReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly line: number; readonly message: string }

/** Reads a file of text: of a bounded size, in UTF-8, without NUL. Never throws, and never waits for a pipe. */
export function readTextFile(file: string): TextReading {
  const refuse = (message: string, line = 1): TextReading => ({ kind: 'refused', line, message })
  let bytes: Uint8Array
  try {
    const read = readBounded(file)
    if (typeof read === 'string') return refuse(read)
    bytes = read
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return refuse(`The file cannot be read (${code ?? String(error)}). Check that it is there and its permissions.`)
  }
  const nul = bytes.indexOf(0)
  if (nul !== -1) return refuse('The file has a NUL in it: it is no text.', lineAt(bytes, nul))
  try {
    // The byte order mark stays: what is written back has it again.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', text }
  } catch {
    return refuse('The file is no text in UTF-8.', lineAt(bytes, firstInvalidByte(bytes)))
  }
}

function readBounded(file: string): Uint8Array | string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) return 'This is no file. Put the agent into a file of this name.'
    if (status.size > LARGEST_FILE_BYTES) {
      return `The file has ${status.size} bytes; an agent has at most ${LARGEST_FILE_BYTES}. Make it shorter.`
    }
    // One more than there may be: a file that grows meanwhile is seen to be too large.
    const buffer = new Uint8Array(LARGEST_FILE_BYTES + 1)
    let length = 0
    for (let count = -1; count !== 0 && length < buffer.length; length += count) {
      count = readSync(descriptor, buffer, length, buffer.length - length, null)
    }
    if (length > LARGEST_FILE_BYTES) return `The file grew to more than ${LARGEST_FILE_BYTES} bytes. Make it shorter.`
    return buffer.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

function lineAt(bytes: Uint8Array, offset: number): number {
  return bytes.subarray(0, offset).reduce((line, byte) => (byte === 0x0a ? line + 1 : line), 1)
}

/** Where the longest beginning that can be decoded ends, found by halves. */
function firstInvalidByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    // A stream decoder leaves a character that is cut off in the middle for the next part.
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true })
      good = middle
    } catch {
      bad = middle
    }
  }
  return good
}
