import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '../../core/checks/thrown.ts'

/** The largest file that is read as an agent or a chain. */
export const LARGEST_FILE_BYTES = 256 * 1024

/** A file as text, or why it cannot be read. */
export type TextReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly line: number; readonly message: string }

/** Reads a text file of bounded size, in UTF-8, without NUL. Never throws, and never blocks on a pipe. */
export function readTextFile(file: string): TextReading {
  const refuse = (message: string, line = 1): TextReading => ({ kind: 'refused', line, message })
  let bytes: Uint8Array
  try {
    const read = readBounded(file)
    if (typeof read === 'string') return refuse(read)
    bytes = read
  } catch (error) {
    const code = codeOf(error)
    return refuse(`The file cannot be read (${code ?? String(error)}). Check that it exists, and its permissions.`)
  }
  const nul = bytes.indexOf(0)
  if (nul !== -1) return refuse('The file is not text: it contains a NUL.', lineAt(bytes, nul))
  try {
    // Keeps the byte order mark, so that it is written back.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', text }
  } catch {
    return refuse('The file is not valid UTF-8.', lineAt(bytes, firstInvalidByte(bytes)))
  }
}

function readBounded(file: string): Uint8Array | string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) return 'This is not a file. Put a file of this name in its place.'
    if (status.size > LARGEST_FILE_BYTES) {
      return `The file has ${status.size} bytes; the limit is ${LARGEST_FILE_BYTES}. Make it shorter.`
    }
    // One byte more than allowed, to notice a file that is growing.
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

/** The offset of the first invalid byte, by binary search. */
function firstInvalidByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    // A streaming decoder accepts a character that is cut off at the end.
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true })
      good = middle
    } catch {
      bad = middle
    }
  }
  return good
}
