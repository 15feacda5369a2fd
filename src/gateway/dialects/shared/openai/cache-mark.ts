import type { CacheMark } from '../../../../pricing/index.ts'
import { longerMark } from '../request/cache-marks.ts'
import { objectFrom } from '../request/json-value.ts'

/**
 * The cache mark of a message or of tools, for models at other providers that cache only what is marked. OpenAI's own
 * models cache automatically, and marks do not change their prices.
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
