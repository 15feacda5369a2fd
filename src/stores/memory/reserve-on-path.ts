import {
  type AmountVector,
  type Ask,
  addAmount,
  type Breach,
  type Decision,
  decide,
  type ReserveRequest,
  withUnits,
} from '../../core/index.ts'
import type { CounterState } from './limit-state.ts'
import { countAll, rollPath, type ScopeState, touchedBy } from './scope-state.ts'

/** A decision, and what was reserved where it fits. A breach leaves every balance as it was. */
export type PathDecision =
  | { readonly fits: true; readonly units: number; readonly reserved: AmountVector }
  | (Decision & { readonly fits: false; readonly newlyExceeded: readonly Breach[] })

/** Decides and, if it fits, reserves on the whole path. */
export function reserveOnPath(scope: ScopeState, request: ReserveRequest, fixed: AmountVector): PathDecision {
  const path = scope.rootToSelf
  const ask: Ask = { fixed, elastic: request.elastic, messages: request.messages, patient: request.patient }
  rollPath(path, request.atMs)
  if (request.closing === true) lendHold(scope, -1)
  const decision = decide(path, ask)
  if (!decision.fits) {
    if (request.closing === true) lendHold(scope, 1)
    const isFinal = !decision.mayFitLater || request.patient !== true
    return { ...decision, newlyExceeded: isFinal ? markExceeded(path, decision.breaches) : [] }
  }
  if (request.closing === true) scope.holds = []
  const reserved = request.elastic === undefined ? fixed : withUnits(fixed, request.elastic, decision.units)
  addReserved(path, reserved)
  return { fits: true, units: decision.units, reserved }
}

/** The closing call may have what its own scope holds: it is decided as if that were not held. */
function lendHold(scope: ScopeState, sign: 1 | -1): void {
  for (const { on, amount } of scope.holds) on.held += sign * amount
}

// Loops by index here and where a charge is taken: they run for every limit of every scope on every call's way.
function addReserved(path: readonly ScopeState[], amounts: AmountVector): void {
  const touched = touchedBy(amounts)
  for (let depth = 0; depth < path.length; depth++) {
    const scope = path[depth]!
    if ((touched & ~scope.counted) !== 0) countAll(scope, amounts)
    const { limits, unlimited } = scope
    for (let place = 0; place < limits.length; place++) reserveOn(limits[place]!, amounts)
    for (let place = 0; place < unlimited.length; place++) reserveOn(unlimited[place]!, amounts)
  }
}

function reserveOn(counter: CounterState, amounts: AmountVector): void {
  if (counter.index >= 0) counter.reserved = addAmount(counter.reserved, amounts[counter.index]!)
}

/** Those of the breaches whose limits are said to be exceeded for the first time in their window. */
function markExceeded(path: readonly ScopeState[], breaches: readonly Breach[]): Breach[] {
  return breaches.filter((breach) => {
    const limits = path.find((scope) => scope.id === breach.scope)?.limits ?? []
    const state = limits.find(({ limit }) => limit.meter === breach.meter && limit.source === breach.source)
    if (state === undefined || state.announced.exceeded > 0) return false
    state.announced = { ...state.announced, exceeded: 1 }
    return true
  })
}
