import {
  type Amounts,
  COUNTER_METERS,
  type CounterMeter,
  endsInClosingCall,
  type HoldAsk,
  holdWithin,
} from '../../core/index.ts'
import type { HoldState, ScopeState } from './scope-state.ts'

/** Sizes the scope's hold anew on every limit of its path, as far as there is room. */
export function holdOnPath(scope: ScopeState, ask: HoldAsk | null): Amounts {
  const own = new Map(scope.holds.map(({ on, amount }) => [on, amount]))
  const holds: HoldState[] = []
  const least = new Map<CounterMeter, number>()
  for (const { limits } of scope.rootToSelf) {
    for (const state of limits) {
      const before = own.get(state) ?? 0
      own.delete(state)
      const meter = COUNTER_METERS[state.index]
      const wanted = meter === undefined ? 0 : (ask?.wanted[meter] ?? 0)
      const amount = meter === undefined ? 0 : holdWithin(state, before, wanted, ask?.smallest[meter] ?? 0)
      state.held += amount - before
      if (amount > 0) holds.push({ on: state, amount })
      if (meter !== undefined && wanted > 0 && endsInClosingCall(state.limit.action)) {
        least.set(meter, Math.min(least.get(meter) ?? amount, amount))
      }
    }
  }
  scope.holds = holds
  return Object.fromEntries(least)
}
