import { InvalidOptionError, type Limit, type ScopeReading } from '../../core/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { formatMaximum, type LimitEntry, type ParsedLimits, resolveLimits } from '../../policy/index.ts'
import type { Operator } from '../operator.ts'
import { limitName } from '../views/limit-standing.ts'
import { changeLimits } from './change-limits.ts'

/** How much to add to one limit of a scope, as far as its ceilings and the config's allow. */
export interface Addition {
  readonly limit: Limit
  /** The total. */
  readonly max: number
  /** The limit's name as written, to raise it again. */
  readonly entry: SetEntry
}

type SetEntry = Extract<LimitEntry, { readonly kind: 'set' }>

/** Gives a scope more of what limits it. */
export async function addToLimits(
  operator: Operator,
  scope: ScopeReading,
  additions: readonly Addition[],
): Promise<void> {
  if (additions.length === 0) return
  const entries = additions.map(({ entry, max }) => ({ ...entry, max }))
  const written = tagParsedLimits({ layer: 'call', entries, onLimit: null, nearing: null, timeZone: null })
  await changeLimits(operator, scope, { layers: [written], ceilings: [] })
}

/** The additions as written: what is added, not the total. */
export function additionTexts(additions: readonly Addition[]): readonly string[] {
  return additions.map(({ entry: { source, meter, per }, limit, max }) => {
    return `${source.written}=${formatMaximum(meter, max - limit.max)}${per === null ? '' : `/${per}`}`
  })
}

/**
 * What to add to which limit. Refuses to add to a limit that the scope does not have. `cuts` says where a ceiling
 * allows less than was requested. `place` is named in a refusal.
 */
export function additionsTo(
  scope: ScopeReading,
  added: ParsedLimits,
  { ceilings: configured, place }: { readonly ceilings: readonly ParsedLimits[]; readonly place: string },
): { readonly additions: readonly Addition[]; readonly cuts: readonly string[] } {
  // Ceilings are for runs: a team's day may have more than any of its runs.
  const ofRuns = scope.kind === 'lasting' ? [] : resolveLimits(configured).ceilings
  const ceilings = [...scope.ceilings, ...ofRuns]
  const additions: Addition[] = []
  const cuts: string[] = []
  for (const entry of added.entries) {
    const { limit, max: asked, entry: set } = sumOf(scope, entry, place)
    const isSame = ({ meter, per }: Limit): boolean => meter === limit.meter && per === limit.per
    const max = Math.max(limit.max, Math.min(asked, ...ceilings.filter(isSame).map((ceiling) => ceiling.max)))
    const show = (amount: number): string => formatMaximum(limit.meter, amount)
    if (max < asked) cuts.push(`${limitName(limit)}: ${show(asked)} was requested, but a ceiling allows ${show(max)}.`)
    if (max > limit.max) additions.push({ limit, max, entry: set })
  }
  return { additions, cuts }
}

function sumOf({ path, limits }: ScopeReading, entry: LimitEntry, place: string): Addition {
  if (entry.kind !== 'set') throw new InvalidOptionError(place, entry.meter, `an amount, e.g. ${entry.meter}=10`)
  const same = limits.find(({ limit }) => limit.meter === entry.meter && limit.per === entry.per)
  if (same === undefined) {
    const amount = `${limitName(entry)}=${formatMaximum(entry.meter, entry.max)}`
    throw new InvalidOptionError(place, amount, `a limit that "${path}" has; without one there is nothing to raise`)
  }
  return { limit: same.limit, max: Math.min(Number.MAX_SAFE_INTEGER, same.limit.max + entry.max), entry }
}
