import { suggestName } from '../core/suggest-name.ts'
import { InvalidCallError } from './invalid-call-error.ts'

// Callers spread objects with fields of their own into a call: a stricter measure than for a key that can only be ours.
const NEAR_MISS_SHARE = 0.25
const SHORTEST_NEAR_MISS = 4
// What a caller adds to every call is looked up once, not on the way of each.
const MOST_REMEMBERED = 1_000
const harmlessBeside = new WeakMap<readonly string[], Set<string>>()

/**
 * Throws `InvalidCallError` for a field that is nearly one of `fields`: unread, a misspelt cache mark or phase would
 * mean the weaker choice. What is `known`, or near none of them, is ignored.
 */
export function assertCallFields(call: object, fields: readonly string[], known: readonly string[]): void {
  const harmless = harmlessBeside.get(fields) ?? rememberedBeside(fields, known)
  for (const field in call) {
    if (harmless.has(field) || field.length < SHORTEST_NEAR_MISS) continue
    const value = (call as Readonly<Record<string, unknown>>)[field]
    if (value === undefined) continue
    const suggestion = suggestName(field, fields, NEAR_MISS_SHARE)
    if (suggestion === null) {
      if (harmless.size < MOST_REMEMBERED) harmless.add(field)
      continue
    }
    throw new InvalidCallError({ field, value, reason: 'no such field is known', suggestion })
  }
}

function rememberedBeside(fields: readonly string[], known: readonly string[]): Set<string> {
  const harmless = new Set([...fields, ...known])
  harmlessBeside.set(fields, harmless)
  return harmless
}
