import { isAmount } from '../core/amounts.ts'
import { suggestName } from '../core/suggest-name.ts'
import { InvalidUsageError } from './invalid-usage-error.ts'
import { completeUsage, type Usage } from './usage.ts'

const FIELDS = Object.keys(completeUsage({})) as readonly (keyof Usage)[]
const KNOWN: ReadonlySet<string> = new Set(FIELDS)

/** Throws `InvalidUsageError` unless every field is known and a whole, non-negative number. */
export function assertUsage(usage: unknown, place: string): asserts usage is Partial<Usage> {
  if (typeof usage !== 'object' || usage === null) throw new InvalidUsageError(place, '', usage, 'it must be an object')
  for (const field of Object.keys(usage)) {
    const value = (usage as Readonly<Record<string, unknown>>)[field]
    if (!KNOWN.has(field)) {
      const nearest = suggestName(field, FIELDS)
      const hint = nearest === null ? `known fields are ${FIELDS.join(', ')}` : `did you mean ${nearest}?`
      throw new InvalidUsageError(place, field.slice(0, 80), value, `no such field is known: ${hint}`)
    }
    if (value !== undefined && !isAmount(value)) {
      throw new InvalidUsageError(place, field, value, 'it must be a whole number from 0 to 2^53 - 1')
    }
  }
  const { reasoningTokens = 0, outputTokens = 0 } = usage as Partial<Usage>
  if (reasoningTokens > outputTokens) {
    throw new InvalidUsageError(
      place,
      'reasoningTokens',
      reasoningTokens,
      `it is a part of outputTokens (${outputTokens})`,
    )
  }
}
