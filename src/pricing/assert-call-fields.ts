import { suggestName } from '../core/suggest-name.ts'
import { InvalidCallError } from './invalid-call-error.ts'

// Callers spread objects with fields of their own into a call: a stricter measure than for a key that can only be ours.
const NEAR_MISS_SHARE = 0.25
const SHORTEST_NEAR_MISS = 4

/**
 * Throws `InvalidCallError` for a field that is nearly one of `fields`: unread, a misspelt cache mark or phase would
 * mean the weaker choice. What is
 * `known`, or near none of them, is ignored.
 */
export function assertCallFields(call: object, fields: readonly string[], known: readonly string[]): void {
  for (const [field, value] of Object.entries(call)) {
    if (value === undefined || field.length < SHORTEST_NEAR_MISS) continue
    if (fields.includes(field) || known.includes(field)) continue
    const suggestion = suggestName(field, fields, NEAR_MISS_SHARE)
    if (suggestion === null) continue
    throw new InvalidCallError({ field, value, reason: 'no such field is known', suggestion })
  }
}
