import { BadRequestError } from '../bad-request-error.ts'
import type { JsonMember, JsonShape, JsonSpan } from './json-span.ts'
import { type JsonBody, readJson } from './read-json.ts'
import { MOST_KEYS, MOST_VALUES } from './scan-json.ts'

/** The beginning that a body has in common with one that was read before. */
export interface KnownBeginning {
  readonly json: JsonBody
  /** The list that grows, a member of the body. */
  readonly field: string
  /** How many elements of it, each an object, end in bytes that both bodies have. At least one. */
  readonly same: number
}

/**
 * Reads a body that begins like another one, and of that beginning nothing again: the same as `readJson`, at the cost of
 * what is new. Throws where `readJson` would, but not always with the same words: whoever tells a client reads it whole.
 */
export function readJsonAfter(bytes: Buffer, shape: JsonShape, { json, field, same }: KnownBeginning): JsonBody {
  const place = json.root.members.findIndex(({ key }) => key === field)
  const { keyStart, value: knownList } = json.root.members[place]!
  const known = knownList.elements.slice(0, same)
  const { start } = known[0]!
  const { end } = known.at(-1)!
  // An object stays valid, or invalid, without its first members, and a list with one object in the place of its first
  // ones. Not a number: `1` followed by `.5` would be another.
  const short = readJson(
    Buffer.concat([OPEN, bytes.subarray(keyStart, start), PLACEHOLDER, bytes.subarray(end)]),
    shape,
  )
  const headBy = keyStart - OPEN.length
  const by = headBy + end - start - PLACEHOLDER.length
  const head = json.root.members.slice(0, place)
  const [{ value: list }, ...tail] = short.root.members as [JsonMember, ...JsonMember[]]
  const isTwice = tail.some(({ key }) => head.some((member) => member.key === key))
  const headValues = head.reduce((sum, { value }) => sum + value.values, 0)
  const dropped = knownList.elements.slice(same).reduce((sum, span) => sum + span.values, 0)
  const values = knownList.values - 1 - dropped - PLACEHOLDER_VALUES
  if (isTwice || head.length + tail.length >= MOST_KEYS || short.root.values + headValues + values > MOST_VALUES) {
    throw new BadRequestError('The body', 'has a key twice, or holds too much')
  }
  const grown: JsonSpan = {
    kind: 'array',
    start: knownList.start,
    end: list.end + by,
    values: list.values + values,
    members: list.members,
    elements: known.concat(list.elements.slice(1).map((span) => moved(span, by))),
  }
  const root: JsonSpan = {
    kind: 'object',
    start: json.root.start,
    end: short.root.end + by,
    values: short.root.values + headValues + values,
    members: [...head, { key: field, keyStart, value: grown }, ...tail.map((member) => movedMember(member, by))],
    elements: short.root.elements,
  }
  const added = short.value[field] as unknown[]
  const entries = (json.value[field] as unknown[]).slice(0, same).concat(added.slice(1))
  const value: Record<string, unknown> = {}
  for (const { key } of head) value[nameOf(key)] = json.value[nameOf(key)]
  return { bytes, value: { ...value, ...short.value, [field]: entries }, root }
}

const OPEN = Buffer.from('{')
const PLACEHOLDER = Buffer.from('{}')
const PLACEHOLDER_VALUES = 1

// Keys of spans have one character for each byte.
function nameOf(key: string): string {
  return Buffer.from(key, 'latin1').toString()
}

function moved({ kind, start, end, values, members, elements }: JsonSpan, by: number): JsonSpan {
  return {
    kind,
    start: start + by,
    end: end + by,
    values,
    members: members.map((member) => movedMember(member, by)),
    elements: elements.map((element) => moved(element, by)),
  }
}

function movedMember({ key, keyStart, value }: JsonMember, by: number): JsonMember {
  return { key, keyStart: keyStart + by, value: moved(value, by) }
}
