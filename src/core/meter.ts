/** How a meter is counted, and what happens to it in a crash: the four kinds of docs/reference/limits.md. */
export type MeterKind = 'counter' | 'gauge' | 'level' | 'clock'

/** What one unit of an amount is. Every amount is an integer of its unit. */
export type Unit = 'count' | 'tokens' | 'nanoUsd' | 'milliseconds'

interface MeterDefinition {
  readonly kind: MeterKind
  readonly unit: Unit
  /** Whether a limit of 0 says something ("no tool calls") and is not a mistake. */
  readonly allowsZero: boolean
  /** The words a message uses for an amount of it, e.g. "5 tool calls". */
  readonly words: string
}

/** Every meter, in the fixed order in which a decision looks at them. */
export const METERS = {
  toolCalls: { kind: 'counter', unit: 'count', allowsZero: true, words: 'tool calls' },
  modelCalls: { kind: 'counter', unit: 'count', allowsZero: false, words: 'model calls' },
  tokens: { kind: 'counter', unit: 'tokens', allowsZero: false, words: 'tokens' },
  outputTokens: { kind: 'counter', unit: 'tokens', allowsZero: false, words: 'output tokens' },
  uncachedTokens: { kind: 'counter', unit: 'tokens', allowsZero: false, words: 'uncached tokens' },
  cost: { kind: 'counter', unit: 'nanoUsd', allowsZero: false, words: 'cost' },
  planningCost: { kind: 'counter', unit: 'nanoUsd', allowsZero: false, words: 'planning cost' },
  executionCost: { kind: 'counter', unit: 'nanoUsd', allowsZero: false, words: 'execution cost' },
  spawns: { kind: 'counter', unit: 'count', allowsZero: true, words: 'spawns' },
  concurrency: { kind: 'gauge', unit: 'count', allowsZero: false, words: 'children at once' },
  messages: { kind: 'level', unit: 'count', allowsZero: false, words: 'messages' },
  depth: { kind: 'level', unit: 'count', allowsZero: true, words: 'levels of agents' },
  time: { kind: 'clock', unit: 'milliseconds', allowsZero: false, words: 'of active time' },
  wallTime: { kind: 'clock', unit: 'milliseconds', allowsZero: false, words: 'of wall time' },
  idleTime: { kind: 'clock', unit: 'milliseconds', allowsZero: false, words: 'of idle time' },
} as const satisfies Record<string, MeterDefinition>

export type Meter = keyof typeof METERS

/** The meters that are reserved and settled on a scope and all its ancestors. */
export type CounterMeter = {
  [Name in Meter]: (typeof METERS)[Name]['kind'] extends 'counter' ? Name : never
}[Meter]

export const METER_NAMES = Object.keys(METERS) as readonly Meter[]

export const COUNTER_METERS = METER_NAMES.filter((meter) => METERS[meter].kind === 'counter') as readonly CounterMeter[]

/** Whether `name` is a meter's own name (aliases are read by the policy). */
export function isMeter(name: string): name is Meter {
  return Object.hasOwn(METERS, name)
}

/** Whether `name` is a meter that is reserved and settled. */
export function isCounterMeter(name: string): name is CounterMeter {
  return isMeter(name) && METERS[name].kind === 'counter'
}

/**
 * Whether an amount in flight is sure to be spent: a granted tool call, model call or spawn counts,
 * while a call's tokens and cost may yet settle at nothing. This decides who waits and who is denied.
 */
export function isCertainInFlight(meter: CounterMeter): boolean {
  return METERS[meter].unit === 'count'
}

/** Whether a meter counts what the output cap of a call bounds, and a shorter prompt spares: tokens, or their cost. */
export function isElasticMeter(meter: Meter): boolean {
  const { unit } = METERS[meter]
  return unit === 'tokens' || unit === 'nanoUsd'
}
