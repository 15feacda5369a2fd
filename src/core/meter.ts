/** How a meter is counted and how it survives a crash; see the four kinds in docs/reference/limits.md. */
export type MeterKind = 'counter' | 'gauge' | 'level' | 'clock'

/** The unit of an amount. Every amount is an integer. */
export type Unit = 'count' | 'tokens' | 'nanoUsd' | 'milliseconds'

interface MeterDefinition {
  readonly kind: MeterKind
  readonly unit: Unit
  /** Whether a limit of 0 is meaningful ("no tool calls") rather than a mistake. */
  readonly allowsZero: boolean
  /** The noun in messages, e.g. "5 tool calls". */
  readonly words: string
}

/** Every meter, in the fixed order in which decisions check them. */
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

/** Whether `name` is a meter's own name. Aliases are resolved by the policy. */
export function isMeter(name: string): name is Meter {
  return Object.hasOwn(METERS, name)
}

/** Whether `name` is a meter that is reserved and settled. */
export function isCounterMeter(name: string): name is CounterMeter {
  return isMeter(name) && METERS[name].kind === 'counter'
}

/**
 * Whether an amount in flight is certain to be spent: a granted tool call, model call or spawn counts, while a call's
 * tokens and cost may still settle at nothing. This determines whether a request waits or is refused.
 */
export function isCertainInFlight(meter: CounterMeter): boolean {
  return METERS[meter].unit === 'count'
}

/** Whether an output cap bounds the meter and a shorter prompt saves on it: tokens or their cost. */
export function isElasticMeter(meter: Meter): boolean {
  const { unit } = METERS[meter]
  return unit === 'tokens' || unit === 'nanoUsd'
}
