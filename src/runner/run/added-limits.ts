import type { Scope } from '../../governor/index.ts'
import { type LimitEntry, type LimitsInput, type ParsedLimits, parseLimits } from '../../policy/index.ts'
import { tagParsedLimits } from '../../policy/parsed-limits.ts'

/** What is to be raised, and what of the addition had nothing to be added to. */
export interface AddedLimits {
  /** `null`: nothing. */
  readonly limits: ParsedLimits | null
  readonly warnings: readonly string[]
}

/**
 * The limits of a scope with so much more, e.g. `{ turns: 10 }`, each written where the addition was: that is the knob
 * which gives it more again. What is not limited cannot be given more of.
 */
export async function addedLimits(scope: Scope, add: LimitsInput): Promise<AddedLimits> {
  const parsed = parseAddition(add)
  const usage = await scope.usage()
  const warnings: string[] = []
  const entries = parsed.entries.flatMap((entry): readonly LimitEntry[] => {
    const per = entry.kind === 'set' ? entry.per : null
    const present = usage[entry.meter].windows.find((window) => window.per === per)
    if (entry.kind === 'set' && present !== undefined) {
      return [{ ...entry, max: Math.min(Number.MAX_SAFE_INTEGER, present.limit + entry.max) }]
    }
    warnings.push(`${entry.source.written} is not limited${per === null ? '' : ` per ${per}`}: nothing was added.`)
    return []
  })
  return { limits: entries.length === 0 ? null : tagParsedLimits({ ...parsed, entries }), warnings }
}

/** Reads what is to be added. Throws `InvalidLimitError` for what is no amount. */
export function parseAddition(add: LimitsInput): ParsedLimits {
  return parseLimits(add, { layer: 'call', call: 'runner.resume', field: 'add' })
}
