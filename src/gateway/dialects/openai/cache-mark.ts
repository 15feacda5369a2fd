import type { CacheMark } from '../../../pricing/index.ts'
import { longerMark } from '../request/cache-marks.ts'
import { objectFrom } from '../request/json-value.ts'

/**
 * The cache mark of a message or of tools, for a model that caches only what is marked, as some who speak OpenAI's dialect
 * serve it. OpenAI's own models cache without being asked, and their marks change no price.
 */
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
