import { amountsFromVector, COST_PARTS, type HourSum, zeroVector } from '../../../core/index.ts'
import type { SumKey } from './sum-of-call.ts'

/** A sum that calls are added to in place: there may be a million of them. */
export interface GrowingSum {
  readonly of: SumKey
  calls: number
  readonly amounts: number[]
  /** In the order of `COST_PARTS`. */
  readonly costs: number[]
}

/** The text that identifies a sum. */
export function textOfKey({ hourMs, call, payerId, agentType, name }: SumKey): string {
  return `${hourMs} ${call} ${payerId}\n${agentType}\n${name}`
}

export function emptySum(of: SumKey): GrowingSum {
  return { of, calls: 0, amounts: zeroVector(), costs: COST_PARTS.map(() => 0) }
}

export function hourSumFrom({ of, calls, amounts, costs }: GrowingSum): HourSum {
  const parts = COST_PARTS.flatMap((part, place) => (costs[place]! > 0 ? [[part, costs[place]!] as const] : []))
  return { ...of, calls, amounts: amountsFromVector(amounts), costs: Object.fromEntries(parts) }
}
