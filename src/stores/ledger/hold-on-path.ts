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
import type { Ledger } from './ledger.ts'
import type { LimitState, ScopeState } from './ledger-state.ts'
import { endedOnPath, turnPath, turnPathForward } from './scope-state.ts'

/**
 * Sizes the hold of a scope at a time. One that has ended, itself or above, that is paused or that nobody runs, holds
 * nothing. Holds last over windows, so there must be room for them in the window of that time and in the latest.
 */
export function sizeHoldOnPath(scope: ScopeState, ask: HoldAsk | null, atMs: number, sizing: HoldSizing = {}): Amounts {
  const path = scope.rootToSelf
  const isPaused = scope.pause !== null && scope.pause.requestId === null
  if (isPaused || scope.isOrphaned || endedOnPath(path) !== null) return {}
  turnPath(path, atMs)
  const now = sizeHolds(path, scope.holds, ask, sizing)
  turnPathForward(path, atMs)
  const latest = sizeHolds(path, scope.holds, ask, sizing)
  const amountIn = (holds: readonly Hold[], key: string): number => holds.find((hold) => hold.key === key)?.amount ?? 0
  const holds = latest.holds.map((hold) => ({ ...hold, amount: Math.min(hold.amount, amountIn(now.holds, hold.key)) }))
  holdOnPath(
    scope,
    holds.filter(({ amount }) => amount > 0),
  )
  return leastOf(now.held, latest.held)
}

/** Throws `InvalidAmountError` unless the ask is made of amounts. */
export function assertHold(ask: HoldAsk | null, place: string): void {
  if (ask === null) return
  vectorFromAmounts(ask.wanted, `${place} wanted`)
  vectorFromAmounts(ask.smallest, `${place} smallest`)
}

/** The same for the hold that a reservation takes. */
export function assertReserveHold(hold: ReserveHold | undefined): void {
  if (hold === undefined) return
  assertHold(hold, 'reserve, hold')
  vectorFromAmounts(hold.likely, 'reserve, hold likely')
  assertRates(hold.growth, 'reserve, hold growth')
  if (typeof hold.isFirst !== 'boolean') {
    throw new InvalidOptionError('reserve({ hold: { isFirst } })', hold.isFirst, 'true or false')
  }
}

/** Makes these the holds of the scope, in the place of those that it had. */
export function holdOnPath(scope: ScopeState, holds: readonly Hold[]): void {
  for (const { scopeId, key } of scope.holds) {
    if (!holds.some((hold) => hold.key === key)) setHeld(scope, scopeId, key, 0)
  }
  for (const { scopeId, key, amount } of holds) setHeld(scope, scopeId, key, amount)
  scope.holds = holds
}

/** Cuts the holds on a limit that was written anew to what it allows now, the latest first. */
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

/** What all scopes together hold on a limit. */
function heldOn(owner: ScopeState, key: string): number {
  let held = 0
  for (const amount of owner.holders?.get(key)?.values() ?? []) held += amount
  return held
}

function setHeld(holder: ScopeState, ownerId: string, key: string, amount: number): void {
  const owner = holder.rootToSelf.find(({ id }) => id === ownerId)
  if (owner === undefined) return
  owner.holders ??= new Map()
  const holders = owner.holders.get(key) ?? new Map<string, number>()
  const before = holders.get(holder.id) ?? 0
  if (before === amount) return
  if (amount === 0) holders.delete(holder.id)
  else holders.set(holder.id, amount)
  if (holders.size === 0) owner.holders.delete(key)
  else owner.holders.set(key, holders)
  owner.changes?.hold(owner, key, holder, amount)
  const state = owner.limits.find((each) => each.key === key)
  if (state !== undefined) state.held += amount - before
}

function leastOf(left: Amounts, right: Amounts): Amounts {
  const meters = Object.keys(left) as (keyof Amounts)[]
  return Object.fromEntries(meters.map((meter) => [meter, Math.min(left[meter] ?? 0, right[meter] ?? 0)]))
}
