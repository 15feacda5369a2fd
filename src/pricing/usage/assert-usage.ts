import { isAmount } from '../../core/amounts/amounts.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { InvalidUsageError } from './invalid-usage-error.ts'
import { completeUsage, PARTS_OF_USAGE, type Usage } from './usage.ts'

const FIELDS = Object.keys({ ...completeUsage({}), ...PARTS_OF_USAGE }) as readonly (keyof Usage)[]
const KNOWN: ReadonlySet<string> = new Set(FIELDS)
const PARTS = Object.entries(PARTS_OF_USAGE) as readonly (readonly [keyof Usage, keyof Usage])[]

/** Throws `InvalidUsageError` unless every field is known and a whole, non-negative number. */
export function assertUsage(usage: unknown, place: string): asserts usage is Partial<Usage> {
  if (typeof usage !== 'object' || usage === null) throw new InvalidUsageError(place, '', usage, 'it must be an object')
  for (const field of Object.keys(usage)) {
    const value = (usage as Readonly<Record<string, unknown>>)[field]
    if (!KNOWN.has(field)) {
      const nearest = suggestName(field, FIELDS)
      const hint = nearest === null ? `known fields are ${FIELDS.join(', ')}` : `did you mean ${nearest}?`
      throw new InvalidUsageError(place, field.slice(0, 80), value, `there is no such field: ${hint}`)
    }
    if (value !== undefined && !isAmount(value)) {
      throw new InvalidUsageError(place, field, value, 'it must be a whole number from 0 to 2^53 - 1')
    }
  }
  const reported = usage as Partial<Usage>
  for (const [part, whole] of PARTS) {
    const tokens = reported[part] ?? 0
    const most = reported[whole] ?? 0
    if (tokens > most) throw new InvalidUsageError(place, part, tokens, `it is a part of ${whole} (${most})`)
  }
}
