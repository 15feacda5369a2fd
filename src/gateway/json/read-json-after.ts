import { BadRequestError } from '../bad-request-error.ts'
import type { JsonShape, JsonSpan } from './json-span.ts'
import { memberOf } from './json-span.ts'
import { type JsonBody, readJson } from './read-json.ts'
import { MOST_VALUES } from './scan-json.ts'

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
  const known = memberOf(json.root, field)!.elements.slice(0, same)
  const { start } = known[0]!
  const { end } = known.at(-1)!
  // A list stays valid, or invalid, with one object in the place of its first ones. Not a number: `1` followed by `.5`
  // would be another.
  const short = readJson(Buffer.concat([bytes.subarray(0, start), PLACEHOLDER, bytes.subarray(end)]), shape)
  const by = end - start - PLACEHOLDER.length
  const list = memberOf(short.root, field)!
  const added = short.value[field] as unknown[]
  const values = known.reduce((sum, span) => sum + span.values, 0) - 1
  if (short.root.values + values > MOST_VALUES) {
    throw new BadRequestError('The body', `holds more than ${MOST_VALUES} values: send fewer`)
  }
  const elements = known.concat(list.elements.slice(1).map((span) => moved(span, by)))
  const root: JsonSpan = {
    ...short.root,
    end: short.root.end + by,
    values: short.root.values + values,
    members: short.root.members.map((member) => {
      if (member.value === list) {
        return { ...member, value: { ...list, end: list.end + by, values: list.values + values, elements } }
      }
      if (member.keyStart < start) return member
      return { key: member.key, keyStart: member.keyStart + by, value: moved(member.value, by) }
    }),
  }
  const entries = (json.value[field] as unknown[]).slice(0, same).concat(added.slice(1))
  return { bytes, value: { ...short.value, [field]: entries }, root }
}

const PLACEHOLDER = Buffer.from('{}')

function moved({ kind, start, end, values, members, elements }: JsonSpan, by: number): JsonSpan {
  return {
    kind,
    start: start + by,
    end: end + by,
    values,
    members: members.map(({ key, keyStart, value }) => ({ key, keyStart: keyStart + by, value: moved(value, by) })),
    elements: elements.map((element) => moved(element, by)),
  }
}
