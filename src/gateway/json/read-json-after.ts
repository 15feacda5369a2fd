import { BadRequestError } from '../bad-request-error.ts'
import type { JsonMember, JsonShape, JsonSpan } from './json-span.ts'
import { type JsonBody, readJson } from './read-json.ts'
import { MOST_VALUES } from './scan-json.ts'

/** The prefix that a body shares with one that was read before. */
export interface KnownBeginning {
  readonly json: JsonBody
  /** The list that grows, a member of the body. */
  readonly field: string
  /** Where its first element begins, and where the last shared one ends. Each is an object. */
  readonly start: number
  readonly end: number
  /** How many values these elements contain. */
  readonly values: number
}

/** A body of which only the new part was read. */
export interface GrownBody {
  readonly json: JsonBody
  /** The elements after the known ones. */
  readonly values: readonly unknown[]
  readonly spans: readonly JsonSpan[]
  /** Only the list has changed: every other member has the same bytes as before. */
  readonly isAlike: boolean
}

const PLACEHOLDER = Buffer.from('{}')
const END = Buffer.from(']}')

/**
 * Reads a body that starts like another one, at the cost of what is new. Throws if `readJson` would, but not always
 * with the same message: a client gets the message of reading the whole body.
 */
export function readJsonAfter(bytes: Buffer, shape: JsonShape, known: KnownBeginning): GrownBody {
  const { json, field, start, end, values } = known
  let place = 0
  while (json.root.members[place]!.key !== field) place++
  const list = json.root.members[place]!.value
  const tail = json.bytes.subarray(list.end - 1)
  const tailStart = bytes.length - tail.length
  const isAlike = tailStart >= end && tail.equals(bytes.subarray(tailStart))
  // A list stays valid, or invalid, with one object in place of its first ones. Not with a number: `1` followed by `.5`
  // would be another number.
  const head = isAlike ? Buffer.from(`{"${field}":[`) : bytes.subarray(0, start)
  const rest = isAlike ? [bytes.subarray(end, tailStart), END] : [bytes.subarray(end)]
  const short = readJson(Buffer.concat([head, PLACEHOLDER, ...rest]), shape)
  // The list was closed, and opened again after another member.
  if (isAlike && short.root.members.length > 1) throw new BadRequestError('The body', 'has members that are new')
  const by = end - head.length - PLACEHOLDER.length
  const added = short.root.members[isAlike ? 0 : place]!.value
  const listValues = added.values - 1 + values
  const total = (isAlike ? json.root.values - list.values : short.root.values - added.values) + listValues
  if (total > MOST_VALUES) throw new BadRequestError('The body', 'holds too much')
  const grown: JsonSpan = { ...list, end: isAlike ? tailStart + 1 : added.end + by, values: listValues }
  const tailBy = isAlike ? bytes.length - json.bytes.length : by
  const members: JsonMember[] = []
  for (const [index, member] of (isAlike ? json : short).root.members.entries()) {
    if (index < place) members.push(member)
    else if (index === place) members.push({ ...member, value: grown })
    else members.push({ key: member.key, keyStart: member.keyStart + tailBy, value: moved(member.value, tailBy) })
  }
  const root: JsonSpan = { ...json.root, end: (isAlike ? json : short).root.end + tailBy, values: total, members }
  const spans: JsonSpan[] = []
  for (let index = 1; index < added.elements.length; index++) spans.push(moved(added.elements[index]!, by))
  const value = isAlike ? json.value : short.value
  return { json: { bytes, value, root }, values: (short.value[field] as unknown[]).slice(1), spans, isAlike }
}

/** The same position in a body where it comes later. */
export function moved(span: JsonSpan, by: number): JsonSpan {
  const members: JsonMember[] = []
  for (const { key, keyStart, value } of span.members) {
    members.push({ key, keyStart: keyStart + by, value: moved(value, by) })
  }
  const elements: JsonSpan[] = []
  for (const element of span.elements) elements.push(moved(element, by))
  return { ...span, start: span.start + by, end: span.end + by, members, elements }
}
