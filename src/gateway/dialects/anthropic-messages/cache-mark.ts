import type { CacheMark } from '../../../pricing/index.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import type { WireMessage } from '../request/wire-message.ts'

const DEEPEST = 4

/** The longest cache lifetime that anything of the request asks for. */
export function cacheMarkOf(body: JsonObject, conversation: readonly WireMessage[]): CacheMark {
  let mark: CacheMark = 'none'
  for (const part of [body, body.system, body.tools]) mark = longer(mark, markIn(part))
  for (const message of conversation) mark = longer(mark, message.cacheMark)
  return mark
}

/** The longest one that a part of it asks for. */
export function markIn(value: unknown, depth = DEEPEST): CacheMark {
  if (depth === 0 || typeof value !== 'object' || value === null) return 'none'
  if (Array.isArray(value)) {
    let mark: CacheMark = 'none'
    for (const entry of value) mark = longer(mark, markIn(entry, depth))
    return mark
  }
  const { cache_control, content, source } = value as JsonObject
  const mark = ownMark(cache_control)
  const inside = longer(markIn(content, depth - 1), markIn(objectFrom(source)?.content, depth - 1))
  return longer(mark, inside)
}

// A lifetime that is not known yet is taken for the longest, which costs most.
function ownMark(control: unknown): CacheMark {
  if (control === undefined || control === null) return 'none'
  const ttl = objectFrom(control)?.ttl
  return ttl === undefined || ttl === null || ttl === '5m' ? '5m' : '1h'
}

function longer(left: CacheMark, right: CacheMark): CacheMark {
  if (left === '1h' || right === '1h') return '1h'
  return left === '5m' || right === '5m' ? '5m' : 'none'
}
