import type { LimitReading, ScopeReading } from '../../../src/core/index.ts'
import { isEnded } from '../../../src/core/status.ts'
import { demand } from '../world/violation.ts'
import { COUNTERS, isCount } from './meters.ts'
import type { WitnessLimit, WitnessScope } from './records.ts'
import { tallyOf } from './tallies.ts'
import type { Books } from './witness.ts'

/** Whether a scope stands as everything that happened to it adds up to. */
export function compareScope(books: Books, reading: ScopeReading, atMs: number): void {
  const scope = books.scopes.get(reading.id)
  demand(scope !== undefined, 'counters', () => `${reading.id} was never opened`)
  compareTotals(scope!, reading)
  compareStanding(scope!, reading)
  compareLimits(scope!, reading, atMs)
  compareCeilings(scope!, reading)
}

function compareCeilings({ id, ceilings }: WitnessScope, reading: ScopeReading): void {
  const text = (each: { readonly meter: string; readonly max: number }): string => `${each.meter} ${each.max}`
  const [found, wanted] = [reading.ceilings.map(text).toSorted(), ceilings.map(text).toSorted()]
  demand(String(found) === String(wanted), 'ceilings', () => `${id} has the ceilings ${found}, but ${wanted} were set`)
}

function compareTotals({ id, life }: WitnessScope, reading: ScopeReading): void {
  for (let index = 0; index < COUNTERS.length; index++) {
    const meter = COUNTERS[index]!
    const { settled, reserved } = reading.totals[meter]
    const isSame = settled === life.settled[index] && reserved === life.reserved[index]
    demand(isSame, 'counters = journal', () => {
      return `${id} ${meter} has settled ${settled} and reserved ${reserved}, but its journal adds up to ${life.settled[index]} and ${life.reserved[index]}`
    })
  }
}

function compareStanding(scope: WitnessScope, reading: ScopeReading): void {
  const status = isEnded(reading.status) ? 'ended' : reading.status
  demand(status === scope.status, 'standing', () => `${scope.id} is ${reading.status}, but was ${scope.status}`)
  const { openChildren } = reading
  demand(openChildren === scope.openChildren, 'places', () => {
    return `${scope.id} counts ${openChildren} open children of ${scope.openChildren}`
  })
  demand(reading.owner === scope.owner || scope.status === 'ended', 'owner', () => {
    return `${scope.id} is ${reading.owner}'s, but ${scope.owner} has it`
  })
  demand(reading.isOrphaned === scope.isOrphaned || scope.status === 'ended', 'owner', () => {
    return `${scope.id} ${reading.isOrphaned ? 'is' : 'is not'} left behind, but it ${scope.isOrphaned ? 'is' : 'is not'}`
  })
}

function compareLimits(scope: WitnessScope, reading: ScopeReading, atMs: number): void {
  demand(
    reading.limits.length === scope.limits.length,
    'limits',
    () => `${scope.id} has other limits than were written`,
  )
  for (const each of reading.limits) {
    const limit = limitOf(scope, each)
    demand(limit?.max === each.limit.max && limit.action === each.limit.action, 'limits', () => {
      return `${scope.id} ${each.limit.meter} is ${each.limit.max}, but ${limit?.max} was written`
    })
    compareLimit(scope, limit!, each, atMs)
  }
}

/** The limit of the witness that a reading is of. */
export function limitOf(scope: WitnessScope, { limit }: LimitReading): WitnessLimit | undefined {
  const isCeiling = limit.source.layer === 'ceiling'
  const isMeant = (each: WitnessLimit): boolean =>
    each.meter === limit.meter && each.per === limit.per && each.isCeiling === isCeiling
  return scope.limits.find(isMeant)
}

function compareLimit(scope: WitnessScope, limit: WitnessLimit, reading: LimitReading, atMs: number): void {
  const index = COUNTERS.indexOf(limit.meter as never)
  const { held } = reading
  const what = `${scope.id} ${limit.meter}${limit.per === null ? '' : `/${limit.per}`}`
  limit.held = held
  // On tokens and cost the half is a rule of admission: an admitted conversation's hold may grow past it.
  const most = isCount(limit.meter) ? Math.floor(limit.max / 2) : limit.max
  demand(held >= 0 && held <= most, 'holds', () => `${what}: ${held} of ${limit.max} is held`)
  if (held > 0) demand(hasHolder(scope), 'holds', () => `${what}: ${held} is held, and nobody is there to hold it`)
  if (index < 0 || limit.per === null) return
  const { settled, reserved } = tallyOf(scope, limit, atMs)
  demand(reading.settled === settled[index] && reading.reserved === reserved[index], 'counters = journal', () => {
    return `${what} has settled ${reading.settled} and reserved ${reading.reserved} in its window, but it adds up to ${settled[index]} and ${reserved[index]}`
  })
}

/** Whether a scope there or below may hold something: it lives, and is not paused by more than a question. */
export function hasHolder(scope: WitnessScope): boolean {
  if (scope.status === 'ended') return false
  return mayHoldNow(scope) || scope.children.some(hasHolder)
}

/** Whether a scope itself may hold something. */
export function mayHoldNow({ status, isOrphaned, isAsking, mayHold }: WitnessScope): boolean {
  return mayHold && status !== 'ended' && !isOrphaned && (status !== 'paused' || isAsking)
}
