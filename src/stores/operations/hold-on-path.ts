import { ownHold } from '../../core/decide/hold.ts'
import {
  type Amounts,
  assertRates,
  type Hold,
  type HoldAsk,
  type HoldSizing,
  InvalidOptionError,
  type ReserveHold,
  sizeHolds,
  trimHolds,
  vectorFromAmounts,
} from '../../core/index.ts'
import type { Ledger } from './state/ledger.ts'
import type { LimitState, ScopeState } from './state/ledger-state.ts'
import { endedOnPath, turnPath, turnPathForward } from './state/scope-state.ts'

/**
 * Sizes the hold of a scope. A scope that has ended (itself or an ancestor), is paused or has no owner holds nothing.
 * Holds outlast windows, so they need room in the window at `atMs` and in the latest one.
 */
export function sizeHoldOnPath(scope: ScopeState, ask: HoldAsk | null, atMs: number, sizing: HoldSizing = {}): Amounts {
  const path = scope.rootToSelf
  const isPaused = scope.pause !== null && scope.pause.requestId === null
  if (isPaused || scope.isOrphaned || endedOnPath(path) !== null) return {}
  turnPath(path, atMs)
  const now = sizeHolds(path, scope.holds, ask, sizing)
  if (!turnPathForward(path, atMs)) {
    holdOnPath(scope, now.holds)
    return now.held
  }
  const latest = sizeHolds(path, scope.holds, ask, sizing)
  const amountIn = (holds: readonly Hold[], key: string): number => holds.find((hold) => hold.key === key)?.amount ?? 0
  const holds = latest.holds.map((hold) => ({ ...hold, amount: Math.min(hold.amount, amountIn(now.holds, hold.key)) }))
  holdOnPath(
    scope,
    holds.filter(({ amount }) => amount > 0),
  )
  return leastOf(now.held, latest.held)
}

/** Throws `InvalidAmountError` unless the ask consists of amounts. */
export function assertHold(ask: HoldAsk | null, place: string): void {
  if (ask === null) return
  vectorFromAmounts(ask.wanted, `${place} wanted`)
  vectorFromAmounts(ask.smallest, `${place} smallest`)
}

/** The same for the hold of a reservation. */
export function assertReserveHold(hold: ReserveHold): void {
  assertHold(hold, 'reserve, hold')
  vectorFromAmounts(hold.likely, 'reserve, hold likely')
  assertRates(hold.growth, 'reserve, hold growth')
  if (typeof hold.isFirst !== 'boolean') {
    throw new InvalidOptionError('reserve({ hold: { isFirst } })', hold.isFirst, 'true or false')
  }
}

/** Replaces the holds of the scope. */
export function holdOnPath(scope: ScopeState, holds: readonly Hold[]): void {
  for (const { scopeId, key } of scope.holds) if (ownHold(holds, key) === 0) setHeld(scope, scopeId, key, 0)
  for (const { scopeId, key, amount } of holds) setHeld(scope, scopeId, key, amount)
  scope.holds = holds
}

/** Reduces the holds on a changed limit to what it allows now, the latest first. */
export function trimHoldsOn(ledger: Ledger, owner: ScopeState, state: LimitState): void {
  state.held = heldOn(owner, state.key)
  const holders = [...(owner.holders?.get(state.key) ?? [])]
  const kept = trimHolds(
    state,
    holders.map(([, amount]) => amount),
  )
  for (const [place, [holderId, amount]] of holders.entries()) {
    const holder = ledger.scopes.get(holderId)
    if (kept[place] === amount || holder === undefined) continue
    holder.holds = holder.holds.flatMap((hold) => {
      if (hold.key !== state.key) return [hold]
      return kept[place] === 0 ? [] : [{ ...hold, amount: kept[place]! }]
    })
    setHeld(holder, owner.id, state.key, kept[place]!)
  }
}

/** The total of all holds on a limit. */
function heldOn(owner: ScopeState, key: string): number {
  let held = 0
  for (const amount of owner.holders?.get(key)?.values() ?? []) held += amount
  return held
}

function setHeld(holder: ScopeState, ownerId: string, key: string, amount: number): void {
  for (const owner of holder.rootToSelf) {
    if (owner.id !== ownerId) continue
    owner.holders ??= new Map()
    const holders = owner.holders.get(key) ?? new Map<string, number>()
    const before = holders.get(holder.id) ?? 0
    if (before === amount) return
    if (amount === 0) holders.delete(holder.id)
    else holders.set(holder.id, amount)
    if (holders.size === 0) owner.holders.delete(key)
    else owner.holders.set(key, holders)
    owner.changes?.hold(owner, key, holder, amount)
    for (const state of owner.limits) if (state.key === key) state.held += amount - before
  }
}

function leastOf(left: Amounts, right: Amounts): Amounts {
  const meters = Object.keys(left) as (keyof Amounts)[]
  return Object.fromEntries(meters.map((meter) => [meter, Math.min(left[meter] ?? 0, right[meter] ?? 0)]))
}
