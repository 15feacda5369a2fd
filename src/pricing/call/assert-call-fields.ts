import { suggestName } from '../../core/checks/suggest-name.ts'
import { InvalidCallError } from './invalid-call-error.ts'

// Callers spread objects with fields of their own into a call, so only close misspellings are reported.
const NEAR_MISS_SHARE = 0.25
const SHORTEST_NEAR_MISS = 4
// The extra fields of a caller are checked once, not on every call.
const MOST_REMEMBERED = 1_000
const harmlessBeside = new WeakMap<readonly string[], Set<string>>()

/**
 * Throws `InvalidCallError` for a field that is close to one of `fields`: if it were ignored, a misspelled cache mark
 * or phase would mean the weaker choice. Fields that are `known`, or close to none, are ignored.
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
    throw new InvalidCallError({ field, value, reason: 'there is no such field', suggestion })
  }
}

function rememberedBeside(fields: readonly string[], known: readonly string[]): Set<string> {
  const harmless = new Set([...fields, ...known])
  harmlessBeside.set(fields, harmless)
  return harmless
}
