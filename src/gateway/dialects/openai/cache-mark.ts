import type { CacheMark } from '../../../pricing/index.ts'
import { objectFrom } from '../request/json-value.ts'

// A key may also be written with escapes.
const SIGNS = ['"cache_control"', '\\u'].map((sign) => Buffer.from(sign))

/**
 * The cache mark of a request to a model that caches only what is marked, as some who speak OpenAI's dialect serve it.
 * OpenAI's own models cache without being asked, and their marks change no price.
 */
export function cacheMarkOf(bytes: Buffer, values: readonly unknown[]): CacheMark {
  if (!SIGNS.some((sign) => bytes.includes(sign))) return 'none'
  let mark: CacheMark = 'none'
  const look = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const entry of value) look(entry)
      return
    }
    const object = objectFrom(value)
    if (object === null) return
    const control = objectFrom(object.cache_control)
    if (control !== null && mark !== '1h') mark = control.ttl === '1h' ? '1h' : '5m'
    look(object.content)
    look(object.function)
  }
  for (const value of values) look(value)
  return mark
}
