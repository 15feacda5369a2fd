import { type Amounts, type Hold, type HoldAsk, sizeHolds, vectorFromAmounts } from '../../core/index.ts'
import { endedOnPath, type ScopeState, turnPathForward } from './scope-state.ts'

/** Sizes the hold of a scope at a time. One that has ended, itself or above, holds nothing any more. */
export function sizeHoldOnPath(scope: ScopeState, ask: HoldAsk | null, atMs: number): Amounts {
  assertHold(ask, 'hold')
  if (endedOnPath(scope.rootToSelf) !== null) return {}
  turnPathForward(scope.rootToSelf, atMs)
  const { holds, held } = sizeHolds(scope.rootToSelf, scope.holds, ask)
  holdOnPath(scope, holds)
  return held
}

/** Throws `InvalidAmountError` unless the ask is made of amounts. */
export function assertHold(ask: HoldAsk | null, place: string): void {
  if (ask === null) return
  vectorFromAmounts(ask.wanted, `${place} wanted`)
  vectorFromAmounts(ask.smallest, `${place} smallest`)
}

/** Makes these the holds of the scope, in the place of those that it had. */
export function holdOnPath(scope: ScopeState, holds: readonly Hold[]): void {
  for (const hold of scope.holds) changeHeld(scope.rootToSelf, hold, -hold.amount)
  for (const hold of holds) changeHeld(scope.rootToSelf, hold, hold.amount)
  scope.holds = holds
}

function changeHeld(path: readonly ScopeState[], { scopeId, key }: Hold, change: number): void {
  const scope = path.find(({ id }) => id === scopeId)
  if (scope === undefined) return
  const held = (scope.heldByKey.get(key) ?? 0) + change
  if (held === 0) scope.heldByKey.delete(key)
  else scope.heldByKey.set(key, held)
  const state = scope.limits.find((each) => each.key === key)
  if (state !== undefined) state.held = held
}
