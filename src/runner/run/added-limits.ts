import { METER_NAMES, type Meter } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import {
  formatMaximum,
  type LimitsInput,
  type LimitsObject,
  type ParsedLimits,
  parseLimits,
} from '../../policy/index.ts'

/** What is to be raised, and what of the addition had nothing to be added to. */
export interface AddedLimits {
  /** `null`: nothing. */
  readonly limits: LimitsObject | null
  readonly warnings: readonly string[]
}

/**
 * The limits of a scope with so much more, e.g. `{ turns: 10 }`. What is not limited cannot be given more of.
 */
export async function addedLimits(scope: Scope, add: LimitsInput): Promise<AddedLimits> {
  const { entries } = parseAddition(add)
  const usage = await scope.usage()
  const warnings: string[] = []
  const limits = new Map<Meter, { max: number; per?: string }[]>()
  for (const entry of entries) {
    const per = entry.kind === 'set' ? entry.per : null
    const present = usage[entry.meter].windows.find((window) => window.per === per)
    if (entry.kind !== 'set' || present === undefined) {
      warnings.push(`${entry.source.written} is not limited${per === null ? '' : ` per ${per}`}: nothing was added.`)
      continue
    }
    const max = Math.min(Number.MAX_SAFE_INTEGER, present.limit + entry.max)
    const text = formatMaximum(entry.meter, max)
    limits.set(entry.meter, [
      ...(limits.get(entry.meter) ?? []),
      { max: text as never, ...(per === null ? {} : { per }) },
    ])
  }
  const raised = METER_NAMES.flatMap((meter) => (limits.has(meter) ? [[meter, limits.get(meter)!]] : []))
  return { limits: raised.length === 0 ? null : (Object.fromEntries(raised) as LimitsObject), warnings }
}

/** Reads what is to be added. Throws `InvalidLimitError` for what is no amount. */
export function parseAddition(add: LimitsInput): ParsedLimits {
  return parseLimits(add, { layer: 'call', call: 'runner.resume', field: 'add' })
}
