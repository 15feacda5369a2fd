import { isAscii, isUtf8 } from 'node:buffer'
import { BadRequestError } from '../bad-request-error.ts'
import { findFault } from './find-fault.ts'
import type { JsonShape, JsonSpan } from './json-span.ts'
import { loneSurrogateAt } from './lone-surrogate-at.ts'
import { scanJson } from './scan-json.ts'

/** A parsed body: its values, and the positions of those that may change. */
export interface JsonBody {
  readonly bytes: Buffer
  /** As `JSON.parse` returns it: for reading, never for writing it again. */
  readonly value: Readonly<Record<string, unknown>>
  readonly root: JsonSpan
}

/**
 * Reads a body that must be one JSON object. Throws `BadRequestError`, which names the place, for anything that two
 * programs could read differently: what we count might not be what the provider does.
 */
export function readJson(bytes: Buffer, shape: JsonShape): JsonBody {
  // One character per byte, so that positions in the text are positions in the bytes.
  const text = bytes.toString('latin1')
  const isPlain = isAscii(bytes)
  if (!isPlain) refuseEncoding(bytes)
  const root = scanJson(text, shape)
  let value: unknown
  try {
    value = JSON.parse(isPlain ? text : bytes.toString('utf8'))
  } catch {
    refuseSyntax(text)
  }
  const lone = text.includes('\\u') ? loneSurrogateAt(text) : -1
  if (lone !== -1) {
    throw new BadRequestError(`The body (at byte ${lone})`, 'has half of a surrogate pair, which is not a character')
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

function refuseSyntax(text: string): never {
  const at = findFault(text)
  if (at >= text.length) throw new BadRequestError('The body', 'is not valid JSON: it ends too early')
  throw new BadRequestError(`The body (at byte ${at})`, 'is not valid JSON')
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
