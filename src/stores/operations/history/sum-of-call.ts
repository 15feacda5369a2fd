import {
  type AmountVector,
  amountsFromVector,
  type CallFacts,
  type CostParts,
  counterIndex,
  type HourSum,
} from '../../../core/index.ts'
import type { ReservationRecord, ScopeState } from '../state/ledger-state.ts'

/** A call that was charged. */
export type ChargedCall = ReservationRecord & { readonly charged: AmountVector }

/** The key of the sum that a charged call belongs to. */
export interface SumKey {
  readonly hourMs: number
  readonly rootId: string
  readonly payerId: string
  readonly agentType: string | null
  readonly call: CallFacts['call']
  readonly name: string | null
}

const HOUR_MS = 3_600_000
const COST = counterIndex('cost')

export function isCharged(record: ReservationRecord): record is ChargedCall {
  return record.charged !== null && (record.state === 'settled' || record.state === 'assumed')
}

export function sumKeyOf({ scope, about, atMs }: ReservationRecord): SumKey {
  return {
    hourMs: atMs - (atMs % HOUR_MS),
    rootId: scope.rootToSelf[0]!.id,
    payerId: payerOf(scope).id,
    agentType: scope.labels.agentType || null,
    call: about?.call ?? 'other',
    name: about?.name || null,
  }
}

/** The sum of one call. */
export function sumOfCall(record: ChargedCall): HourSum {
  return { ...sumKeyOf(record), calls: 1, amounts: amountsFromVector(record.charged), costs: partsOf(record) }
}

/** The parts of its cost. */
export function partsOf({ charged, state, about, result }: ChargedCall): CostParts {
  const cost = charged[COST]!
  if (cost === 0) return {}
  if (state === 'assumed') return { assumed: cost }
  if (about?.isClosing === true) return { closing: cost }
  return result?.costs ?? { other: cost }
}

/** The nearest lasting scope on the path, or the root if there is none. */
function payerOf({ rootToSelf }: ScopeState): ScopeState {
  for (let depth = rootToSelf.length - 1; depth > 0; depth--) {
    if (rootToSelf[depth]!.kind === 'lasting') return rootToSelf[depth]!
  }
  return rootToSelf[0]!
}
