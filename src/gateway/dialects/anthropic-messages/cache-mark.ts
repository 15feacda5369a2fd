import type { CacheMark } from '../../../pricing/index.ts'
import { longerMark } from '../shared/request/cache-marks.ts'
import { type JsonObject, objectFrom } from '../shared/request/json-value.ts'

const DEEPEST = 4

/** The longest cache lifetime in a request, apart from its messages. */
export function fieldsMark({ cache_control, system, tools }: JsonObject): CacheMark {
  return longerMark(ownMark(cache_control), longerMark(markIn(system), markIn(tools)))
}

/** The longest cache lifetime in any part of a value. */
export function markIn(value: unknown, depth = DEEPEST): CacheMark {
  if (depth === 0 || typeof value !== 'object' || value === null) return 'none'
  if (Array.isArray(value)) {
    let mark: CacheMark = 'none'
    for (const entry of value) mark = longerMark(mark, markIn(entry, depth))
    return mark
  }
  const { cache_control, content, source } = value as JsonObject
  const mark = ownMark(cache_control)
  const inside = longerMark(markIn(content, depth - 1), markIn(objectFrom(source)?.content, depth - 1))
  return longerMark(mark, inside)
}

// An unknown lifetime counts as the longest, which costs most.
function ownMark(control: unknown): CacheMark {
  if (control === undefined || control === null) return 'none'
  const ttl = objectFrom(control)?.ttl
  return ttl === undefined || ttl === null || ttl === '5m' ? '5m' : '1h'
}
