import { BadRequestError } from '../bad-request-error.ts'
import type { JsonMember, JsonShape, JsonSpan } from './json-span.ts'

const DEEPEST = 256
// Parsed values become objects: a body of nothing but brackets would take many times its size, and block all others
// while it is read. A conversation of 2,401 small messages with a hundred tools has some 30,000 values.
export const MOST_VALUES = 60_000
// For a located object each key is kept and compared. Requests, messages and blocks have a dozen.
const MOST_KEYS = 1_000
const LONGEST_PLAIN_NUMBER = 300
// Most objects have a handful of keys: a set only pays off beyond that.
const FEW_KEYS = 16

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const BACKSLASH = 0x5c
const NOTHING: readonly never[] = []
const LEAF = { values: 1, members: NOTHING, elements: NOTHING }

interface Scan {
  /** One character per byte. */
  readonly text: string
  readonly path: (string | number)[]
  values: number
}

/**
 * Finds the positions that `shape` names in one pass. The text may be unchecked, so it always terminates, but the
 * result is meaningful only for valid JSON. Throws `BadRequestError` for valid JSON that we refuse: excessive depth or
 * number of values, numbers out of range, duplicate keys.
 */
export function scanJson(text: string, shape: JsonShape): JsonSpan {
  const scan: Scan = { text, path: [], values: 0 }
  return scanValue(scan, skipSpace(text, 0), shape, 1)
}

function scanValue(scan: Scan, start: number, shape: JsonShape | undefined, depth: number): JsonSpan {
  const { text } = scan
  const first = text.charCodeAt(start)
  if (++scan.values > MOST_VALUES) refuseMany(scan, start)
  if (first === QUOTE) return { ...LEAF, kind: 'string', start, end: skipString(text, start) }
  if (first === 0x7b) {
    if (shape?.members === undefined) return skipped('object', scan, start, depth)
    return scanObject(scan, start, shape.members, depth)
  }
  if (first === 0x5b) {
    if (shape?.elements === undefined) return skipped('array', scan, start, depth)
    return scanArray(scan, start, shape.elements, depth)
  }
  const end = isNumberStart(first) ? skipNumber(scan, start) : skipWord(text, start)
  return { ...LEAF, kind: 'other', start, end }
}

function refuseMany(scan: Scan, at: number): never {
  refuse(scan, at, `holds more than ${MOST_VALUES} values: send fewer`)
}

function skipped(kind: 'object' | 'array', scan: Scan, start: number, depth: number): JsonSpan {
  const before = scan.values
  const end = skipContainer(scan, start, depth)
  return { kind, start, end, values: scan.values - before + 1, members: NOTHING, elements: NOTHING }
}

function scanObject(scan: Scan, start: number, shapes: Readonly<Record<string, JsonShape>>, depth: number): JsonSpan {
  if (depth > DEEPEST) refuse(scan, start, `is nested deeper than ${DEEPEST} levels`)
  const { text, values: before } = scan
  const members: JsonMember[] = []
  let keys: Set<string> | null = null
  let at = skipSpace(text, start + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyStart = at
    const keyEnd = skipString(text, at)
    const quoted = text.slice(keyStart, keyEnd)
    const key = quoted.includes('\\') ? unescapedKey(quoted) : quoted.slice(1, -1)
    if (members.length === FEW_KEYS) keys = new Set(members.map((member) => member.key))
    let isTwice = keys?.has(key) ?? false
    if (keys === null) for (const member of members) isTwice ||= member.key === key
    keys?.add(key)
    if (members.length === MOST_KEYS) refuse(scan, keyStart, `has more than ${MOST_KEYS} keys: send fewer`)
    if (isTwice) refuse(scan, keyStart, `has the key ${JSON.stringify(key)} twice: write it once`)
    if (key === '__proto__') refuse(scan, keyStart, 'has the key "__proto__", which no provider knows: leave it out')
    at = skipSpace(text, keyEnd)
    if (text.charCodeAt(at) === COLON) at = skipSpace(text, at + 1)
    scan.path.push(key)
    const value = scanValue(scan, at, Object.hasOwn(shapes, key) ? shapes[key] : undefined, depth + 1)
    scan.path.pop()
    members.push({ key, keyStart, value })
    at = skipSpace(text, value.end)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipSpace(text, at + 1)
  }
  return { kind: 'object', start, end: at + 1, values: scan.values - before + 1, members, elements: NOTHING }
}

function scanArray(scan: Scan, start: number, shape: JsonShape, depth: number): JsonSpan {
  if (depth > DEEPEST) refuse(scan, start, `is nested deeper than ${DEEPEST} levels`)
  const { text, values: before } = scan
  const elements: JsonSpan[] = []
  let at = skipSpace(text, start + 1)
  while (at < text.length && text.charCodeAt(at) !== 0x5d) {
    scan.path.push(elements.length)
    const element = scanValue(scan, at, shape, depth + 1)
    scan.path.pop()
    elements.push(element)
    at = skipSpace(text, element.end)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipSpace(text, at + 1)
  }
  return { kind: 'array', start, end: at + 1, values: scan.values - before + 1, members: NOTHING, elements }
}

/** The position after the object or array that begins at `start`. The only loop over every byte outside of strings. */
function skipContainer(scan: Scan, start: number, depthAround: number): number {
  const { text } = scan
  let depth = depthAround - 1
  let at = start
  while (at < text.length) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = skipString(text, at)
      continue
    }
    if (character === 0x7b || character === 0x5b) {
      if (++depth > DEEPEST) refuse(scan, at, `is nested deeper than ${DEEPEST} levels`)
      if (++scan.values > MOST_VALUES) refuseMany(scan, at)
    } else if (character === 0x7d || character === 0x5d) {
      if (--depth < depthAround) return at + 1
    } else if (character === COMMA) {
      if (++scan.values > MOST_VALUES) refuseMany(scan, at)
    } else if (isNumberStart(character)) {
      at = skipNumber(scan, at)
      continue
    }
    at++
  }
  return at
}

/** The position after the string whose quote is at `start`. Linear, even for a string of nothing but backslashes. */
function skipString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1) {
    let before = quote - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

function skipNumber(scan: Scan, start: number): number {
  const { text } = scan
  let at = start + 1
  let hasExponent = false
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x65 || character === 0x45) hasExponent = true
    else if (!isNumberStart(character) && character !== 0x2b && character !== 0x2e) break
  }
  if ((hasExponent || at - start > LONGEST_PLAIN_NUMBER) && Math.abs(Number(text.slice(start, at))) === Infinity) {
    refuse(scan, start, 'is a number out of range: write a smaller one')
  }
  return at
}

function isNumberStart(character: number): boolean {
  return (character >= 0x30 && character <= 0x39) || character === MINUS
}

// `true`, `false`, `null`; of anything else at least one character, so that the scan advances.
function skipWord(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) >= 0x61 && text.charCodeAt(at) <= 0x7a) at++
  return Math.max(at, start + 1)
}

function skipSpace(text: string, start: number): number {
  let at = start
  for (; ; at++) {
    const character = text.charCodeAt(at)
    if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) return at
  }
}

// Two spellings of one key are one key. Bytes beyond ASCII are several characters here, the same for equal keys.
function unescapedKey(quoted: string): string {
  try {
    return Buffer.from(JSON.parse(Buffer.from(quoted, 'latin1').toString()), 'utf8').toString('latin1')
  } catch {
    return quoted
  }
}

function refuse(scan: Scan, at: number, problem: string): never {
  throw new BadRequestError(`${placeOf(scan.path)} (at byte ${at})`, problem)
}

function placeOf(path: readonly (string | number)[]): string {
  let place = ''
  for (const part of path)
    place += typeof part === 'number' ? `[${part}]` : `${place === '' ? '' : '.'}${part.slice(0, 64)}`
  return place === '' ? 'The body' : place
}
