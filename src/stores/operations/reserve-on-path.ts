import {
  type AmountVector,
  type Ask,
  addAmount,
  type Breach,
  type ClosingRoom,
  type Decision,
  decide,
  grownHold,
  type ReserveHold,
  type ReserveRequest,
  vectorFromAmounts,
  withUnits,
} from '../../core/index.ts'
import { holdOnPath, sizeHoldOnPath } from './hold-on-path.ts'
import type { ScopeState } from './state/ledger-state.ts'
import { announcedOn, setAnnounced } from './state/limit-state.ts'
import { countAll, touchedBy, turnPath } from './state/scope-state.ts'

/** A decision, and what was reserved if it fits. A breach leaves every balance unchanged. */
export type PathDecision =
  | { readonly kind: 'fits'; readonly units: number; readonly reserved: AmountVector }
  | (Decision & {
      readonly kind: 'breached'
      readonly newlyExceeded: readonly Breach[]
      /** The caller isn't going to wait or ask for less. */
      readonly isFinal: boolean
    })

/** Decides and, if it fits, reserves on the whole path. */
export function reserveOnPath(scope: ScopeState, request: ReserveRequest, fixed: AmountVector): PathDecision {
  const path = scope.rootToSelf
  const isClosing = request.closing === true
  const messages = isClosing ? undefined : request.messages
  const hold = isClosing ? undefined : request.hold
  const closing = hold === undefined ? undefined : closingRoom(scope, hold)
  const ask: Ask = { fixed, elastic: request.elastic, messages, patient: request.patient, closing }
  turnPath(path, request.atMs)
  // The closing call is decided as if its scope had no hold, and uses the hold up.
  const lent = isClosing ? scope.holds : []
  if (isClosing) holdOnPath(scope, [])
  const decision = decide(path, ask)
  if (decision.kind === 'breached') {
    if (isClosing) holdOnPath(scope, lent)
    const isFinal = request.tentative !== true && (!decision.mayFitLater || request.patient !== true)
    return { ...decision, isFinal, newlyExceeded: isFinal ? markExceeded(path, decision.breaches) : [] }
  }
  const reserved = request.elastic === undefined ? fixed : withUnits(fixed, request.elastic, decision.units)
  addReserved(path, reserved)
  // In the same step, so that no other call can come between a conversation and its closing call.
  if (hold !== undefined) {
    const grown = grownHold(hold, decision.units - (request.elastic?.least ?? 0))
    sizeHoldOnPath(scope, grown, request.atMs, { keepsOwn: !hold.isFirst })
  }
  return { kind: 'fits', units: decision.units, reserved }
}

function closingRoom(scope: ScopeState, { likely, wanted, smallest, growth, isFirst }: ReserveHold): ClosingRoom {
  return {
    likely: vectorFromAmounts(likely, 'reserve, hold likely'),
    wanted: vectorFromAmounts(wanted, 'reserve, hold wanted'),
    smallest: vectorFromAmounts(smallest, 'reserve, hold smallest'),
    growth,
    isFirst,
    own: scope.holds,
  }
}

// Loops by index, here and for charges: they run for every counter of every scope on every call.
export function addReserved(path: readonly ScopeState[], amounts: AmountVector): void {
  const touched = touchedBy(amounts)
  for (let depth = 0; depth < path.length; depth++) {
    const scope = path[depth]!
    if ((touched & ~scope.counted) !== 0) countAll(scope, amounts)
    const { series } = scope
    for (let place = 0; place < series.length; place++) {
      const each = series[place]!
      const amount = amounts[each.index]!
      if (amount === 0) continue
      each.present.reserved = addAmount(each.present.reserved, amount)
      scope.changes?.counter(each, each.present)
    }
  }
}

/** The breaches whose limits are exceeded for the first time in their window. */
function markExceeded(path: readonly ScopeState[], breaches: readonly Breach[]): Breach[] {
  return breaches.filter((breach) => {
    const scope = path.find(({ id }) => id === breach.scope)
    const state = scope?.limits.find(({ key }) => key === breach.key)
    if (scope === undefined || state === undefined) return true
    if (state.series === null) {
      const isNew = !state.isExceededTold
      state.isExceededTold = true
      if (isNew) scope.changes?.scope(scope)
      return isNew
    }
    const announced = announcedOn(state.counter, state.key)
    if (announced.exceeded > 0) return false
    setAnnounced(state, state.counter, { ...announced, exceeded: 1 })
    return true
  })
}
