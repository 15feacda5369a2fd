import type { Scope } from '../../governor/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { type LimitEntry, type LimitsInput, type ParsedLimits, parseLimits } from '../../policy/index.ts'

/** The raised limits, and warnings for additions to limits that don't exist. */
export interface AddedLimits {
  /** `null`: nothing to raise. */
  readonly limits: ParsedLimits | null
  readonly warnings: readonly string[]
}

/**
 * A scope's limits plus an addition, e.g. `{ turns: 10 }`. Their source is the place of the addition, where they can be
 * raised again. Meters without a limit are skipped with a warning.
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

/** Reads an addition. Throws `InvalidLimitError`. */
export function parseAddition(add: LimitsInput): ParsedLimits {
  return parseLimits(add, { layer: 'call', call: 'runner.resume', field: 'add' })
}
