import type { CacheMark } from '../../../pricing/index.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import type { WireMessage } from '../request/wire-message.ts'

/**
 * The cache mark of a request to a model that caches only what is marked, as some who speak OpenAI's dialect serve it.
 * OpenAI's own models cache without being asked, and their marks change no price.
 */
export function cacheMarkOf(conversation: readonly WireMessage[], tools: readonly JsonObject[]): CacheMark {
  let mark = cacheMarkIn(tools)
  for (const message of conversation) mark = longerMark(mark, message.cacheMark)
  return mark
}

/** The mark of a message or of tools. */
export function cacheMarkIn(value: unknown): CacheMark {
  let mark: CacheMark = 'none'
  if (Array.isArray(value)) {
    for (const entry of value) mark = longerMark(mark, cacheMarkIn(entry))
    return mark
  }
  const object = objectFrom(value)
  if (object === null) return 'none'
  const control = objectFrom(object.cache_control)
  if (control !== null) mark = control.ttl === '1h' ? '1h' : '5m'
  return longerMark(mark, longerMark(cacheMarkIn(object.content), cacheMarkIn(object.function)))
}

/** The one of two marks that lasts longer. */
function longerMark(left: CacheMark, right: CacheMark): CacheMark {
  if (left === '1h' || right === '1h') return '1h'
  return left === '5m' || right === '5m' ? '5m' : 'none'
}
