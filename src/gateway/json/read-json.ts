import { isAscii, isUtf8 } from 'node:buffer'
import { BadRequestError } from '../bad-request-error.ts'
import { findFault } from './find-fault.ts'
import type { JsonShape, JsonSpan } from './json-span.ts'
import { loneSurrogateAt } from './lone-surrogate-at.ts'
import { scanJson } from './scan-json.ts'

/** A body that was read once: its values, and where those that may change stand. */
export interface JsonBody {
  readonly bytes: Buffer
  /** As `JSON.parse` gives it: for reading, never for writing it anew. */
  readonly value: Readonly<Record<string, unknown>>
  readonly root: JsonSpan
}

/**
 * Reads a body that must be one JSON object. Throws `BadRequestError`, which names the place, for everything that two
 * programs could read in two ways: then what we count is not what the provider does.
 */
export function readJson(bytes: Buffer, shape: JsonShape): JsonBody {
  // One character for each byte, so that what is found in the text is where it is in the bytes.
  const text = bytes.toString('latin1')
  const isPlain = isAscii(bytes)
  if (!isPlain) refuseEncoding(bytes)
  const root = scanJson(text, shape)
  const value = parse(isPlain ? text : bytes.toString('utf8'), text)
  const lone = loneSurrogateAt(text)
  if (lone !== -1) {
    throw new BadRequestError(`The body (at byte ${lone})`, 'has half of a surrogate pair, which is no character')
  }
  if (root.kind !== 'object') {
    throw new BadRequestError('The body', `is ${describe(value)}, but must be a JSON object, e.g. {"model": "…"}`)
  }
  return { bytes, value: value as Record<string, unknown>, root }
}

function refuseEncoding(bytes: Buffer): void {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new BadRequestError('The body', 'begins with a byte order mark: JSON is sent without one')
  }
  if (!isUtf8(bytes)) throw new BadRequestError('The body', 'is not UTF-8: encode it as UTF-8')
}

function parse(text: string, byteText: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const at = findFault(byteText)
    if (at >= byteText.length) throw new BadRequestError('The body', 'is no valid JSON: it ends too early')
    throw new BadRequestError(`The body (at byte ${at})`, 'is no valid JSON')
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
