import type { AmountVector } from '../amounts/amount-vector.ts'
import { endsInClosingCall, isEnforced } from '../limits/action.ts'
import { type Breach, breachOf, describeBreach } from '../limits/breach.ts'
import { COUNTER_METERS, type CounterMeter, isCertainInFlight, isElasticMeter } from '../meter.ts'
import { freeOn, type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'
import type { Breaches } from './decide.ts'
import { type Hold, halfOf } from './hold.ts'

/** A scope on the path above a new child. */
export interface SpawnBalance extends ScopeBalance {
  /** How many agents are above it; -1 above all agents. */
  readonly level: number
  readonly openChildren: number
  readonly holds: readonly Hold[]
}

/** A group of children, opened all together or not at all. */
export interface SpawnAsk {
  /** The number of children that start: each needs `needs`. */
  readonly count: number
  /** The number of them that were not counted as spawns before. Default: `count`. */
  readonly spawns?: number
  /** The number of places they take, including existing scopes that come back. Default: `count`. */
  readonly places?: number
  /** The level of the deepest child. */
  readonly level: number
  /** What each child needs unspent on the path; `null`: something on every limited counter except the phase costs. */
  readonly needs: AmountVector | null
  /** What children that were admitted before will still take: they have made no call yet. */
  readonly promised?: AmountVector | null
}

/** Fits or doesn't. With `mayFitLater` it may fit when a child ends or a call settles, so the spawn queues. */
export type SpawnDecision =
  | { readonly kind: 'fits' }
  | { readonly kind: 'breached'; readonly mayFitLater: boolean; readonly breaches: Breaches }

interface Shortage {
  readonly breach: Breach
  readonly mayFitLater: boolean
}

/**
 * Admits a spawn: depth by the tightest limit, spawns on the whole path, concurrency at the parent, and enough budget.
 */
export function decideSpawn(rootToParent: readonly SpawnBalance[], spawn: SpawnAsk): SpawnDecision {
  const heldAbove = heldByPath(rootToParent)
  const tightest = tightestDepth(rootToParent)
  const shortages = rootToParent.flatMap((scope, position) =>
    scope.limits.flatMap((balance): Shortage[] => {
      const { limit } = balance
      if (!isEnforced(limit.action)) return []
      if (limit.meter === 'depth') return balance.key === tightest ? shortOfDepth(scope, balance, spawn) : []
      if (limit.meter === 'concurrency') {
        return position === rootToParent.length - 1 ? shortOfPlaces(scope, balance, spawn) : []
      }
      return balance.index < 0 ? [] : shortOfBudget(scope, balance, spawn, heldAbove.get(balance.key) ?? 0)
    }),
  )
  if (shortages.length === 0) return { kind: 'fits' }
  const final = shortages.filter(({ mayFitLater }) => !mayFitLater)
  const deciding = final.length > 0 ? final : shortages
  const breaches = deciding.map(({ breach }) => breach) as [Breach, ...Breach[]]
  return { kind: 'breached', mayFitLater: final.length === 0, breaches }
}

function heldByPath(rootToParent: readonly SpawnBalance[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const scope of rootToParent) {
    for (const { key, amount } of scope.holds) held.set(key, (held.get(key) ?? 0) + amount)
  }
  return held
}

/**
 * The key of the depth limit that is reached first, the outermost among equals. A limit above all agents counts from
 * the first agent.
 */
function tightestDepth(rootToParent: readonly SpawnBalance[]): string | null {
  let tightest: string | null = null
  let deepest = Number.POSITIVE_INFINITY
  for (const scope of rootToParent) {
    for (const balance of scope.limits) {
      if (balance.limit.meter !== 'depth' || !isEnforced(balance.limit.action)) continue
      const allowed = Math.max(scope.level, 0) + balance.limit.max
      if (allowed < deepest) {
        deepest = allowed
        tightest = balance.key
      }
    }
  }
  return tightest
}

function shortOfDepth(scope: SpawnBalance, { limit }: LimitBalance, spawn: SpawnAsk): Shortage[] {
  const below = spawn.level - Math.max(scope.level, 0)
  if (below <= limit.max) return []
  const standing = { settled: below - 1, reserved: 0, held: 0, asked: 1, remaining: 0, resetsAt: null }
  return [{ breach: describeBreach(scope, limit, standing), mayFitLater: false }]
}

function shortOfPlaces(scope: SpawnBalance, { limit }: LimitBalance, spawn: SpawnAsk): Shortage[] {
  const asked = spawn.places ?? spawn.count
  const remaining = Math.max(0, limit.max - scope.openChildren)
  if (asked <= remaining) return []
  const standing = { settled: scope.openChildren, reserved: 0, held: 0, asked, remaining, resetsAt: null }
  return [{ breach: describeBreach(scope, limit, standing), mayFitLater: asked <= limit.max }]
}

/** Siblings' holds are freed when they end. The path's own holds aren't, while the parent waits for its child. */
function shortOfBudget(scope: SpawnBalance, balance: LimitBalance, spawn: SpawnAsk, heldAbove: number): Shortage[] {
  const meter = COUNTER_METERS[balance.index]!
  const asked = meter === 'spawns' ? (spawn.spawns ?? spawn.count) : spawn.count * neededOf(balance, meter, spawn.needs)
  const promised = spawn.promised?.[balance.index] ?? 0
  const isShort = asked + promised > remainingOf(balance)
  if (asked === 0 || !(isShort || isCrowdedBySiblings(balance, asked, { promised, heldAbove }))) return []
  const returning = isCertainInFlight(meter) ? 0 : balance.counter.reserved
  const best = freeOn(balance) + returning + balance.held - heldAbove
  return [{ breach: breachOf(scope, balance, asked), mayFitLater: asked <= best }]
}

/**
 * Whether siblings hold so much for their closing calls that the child's first call might be refused, as `isCrowded`
 * does, while there is room once they end. Their holds are freed soon; those of its own path are not, so they alone
 * never keep it waiting.
 */
function isCrowdedBySiblings(
  { limit, held }: LimitBalance,
  asked: number,
  { promised, heldAbove }: { readonly promised: number; readonly heldAbove: number },
): boolean {
  if (!isElasticMeter(limit.meter) || !endsInClosingCall(limit.action)) return false
  const siblings = held - heldAbove + MOST_HELD_PER_NEED * promised
  return siblings > 0 && heldAbove + siblings + asked > halfOf(limit.max)
}

// What a child will hold is known with its first call: a closing answer may be longer than the smallest it needs.
const MOST_HELD_PER_NEED = 2

/**
 * Without explicit needs, something must be left, except of a phase cost (the child may have no call in that phase) or
 * of a limit of 0.
 */
function neededOf({ limit, index }: LimitBalance, meter: CounterMeter, needs: AmountVector | null): number {
  if (needs !== null) return needs[index]!
  return limit.max === 0 || meter === 'planningCost' || meter === 'executionCost' ? 0 : 1
}
