import { InvalidAmountError } from '../errors.ts'
import { COUNTER_METERS, type CounterMeter } from '../meter.ts'
import { type Amounts, isAmount } from './amounts.ts'

/**
 * Amounts in the fixed order of the counters. The decision and the stores use this form, because looking counters up by
 * name in every scope of a path would cost more than the sums themselves.
 */
export type AmountVector = readonly number[]

const INDEX: ReadonlyMap<string, number> = new Map(COUNTER_METERS.map((meter, index) => [meter, index]))

/** The index of a counter in an `AmountVector`, or -1 if `meter` is not a counter. */
export function counterIndex(meter: string): number {
  return INDEX.get(meter) ?? -1
}

export function zeroVector(): number[] {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0]
}

/** Throws `InvalidAmountError` unless every entry is a counter with a whole, non-negative amount. */
export function vectorFromAmounts(amounts: Amounts, place: string): number[] {
  const entries = readCounters<number, undefined>(amounts, undefined)
  let unread = 0
  for (const _ in amounts) unread++
  for (let index = 0; index < entries.length; index++) {
    const value = entries[index]
    if (value === undefined) entries[index] = 0
    else if (isAmount(value)) unread--
    else throw invalidAmount(COUNTER_METERS[index]!, value, place)
  }
  if (unread > 0) assertKnown(amounts, place)
  return entries as number[]
}

/** Throws for the first unknown name. There may be none: an entry can be present but undefined. */
function assertKnown(amounts: Amounts, place: string): void {
  for (const meter in amounts) {
    if (!INDEX.has(meter)) throw new InvalidAmountError({ place, meter, value: undefined, reason: 'unknown-meter' })
  }
}

function invalidAmount(meter: CounterMeter, value: unknown, place: string): InvalidAmountError {
  return new InvalidAmountError({ place, meter, value, reason: 'not-an-amount' })
}

/**
 * The entries in the order of the counters, with `missing` for absent ones. Spelled out because reading a fixed
 * property name is several times faster than a computed one, and every call does this.
 */
export function readCounters<Value, Missing>(
  entries: Readonly<Partial<Record<CounterMeter, Value>>>,
  missing: Missing,
): (Value | Missing)[] {
  // Not `??`: a `null` isn't an absent entry but a mistake, such as a NaN that went through JSON.
  const { toolCalls = missing, modelCalls = missing, tokens = missing, outputTokens = missing } = entries
  const { uncachedTokens = missing, cost = missing, planningCost = missing, executionCost = missing } = entries
  const { spawns = missing } = entries
  return [toolCalls, modelCalls, tokens, outputTokens, uncachedTokens, cost, planningCost, executionCost, spawns]
}

/** The entries above 0, by name. Spelled out for the same reason. */
export function amountsFromVector(vector: AmountVector): Amounts {
  const amounts: Partial<Record<CounterMeter, number>> = {}
  if (vector[0]! > 0) amounts.toolCalls = vector[0]!
  if (vector[1]! > 0) amounts.modelCalls = vector[1]!
  if (vector[2]! > 0) amounts.tokens = vector[2]!
  if (vector[3]! > 0) amounts.outputTokens = vector[3]!
  if (vector[4]! > 0) amounts.uncachedTokens = vector[4]!
  if (vector[5]! > 0) amounts.cost = vector[5]!
  if (vector[6]! > 0) amounts.planningCost = vector[6]!
  if (vector[7]! > 0) amounts.executionCost = vector[7]!
  if (vector[8]! > 0) amounts.spawns = vector[8]!
  return amounts
}
