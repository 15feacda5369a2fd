import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isCounterMeter, METER_NAMES, METERS, type Meter } from '../../core/meter.ts'
import { PUBLISHED_RANGES, type PublishedRange } from './published-ranges.ts'

/** The format an object is written in. `native` accepts every name except those that mean something else elsewhere. */
export type LimitFormat = (typeof LIMIT_FORMATS)[number]

export const LIMIT_FORMATS = ['native', 'execution_limits', 'pi', 'claude-code'] as const

/** The aliases of each meter, accepted by native objects and the command line. */
export const LIMIT_ALIASES = {
  toolCalls: ['turns', 'max_turns', 'tool_calls', 'maxToolIters', 'max_iters'],
  modelCalls: ['model_calls', 'requests', 'steps'],
  tokens: ['token', 'token_budget'],
  outputTokens: [],
  uncachedTokens: ['maxTokens'],
  cost: ['usd', 'max_cost_usd', 'max_total_cost_usd'],
  planningCost: ['max_planning_cost_usd'],
  executionCost: ['max_execution_cost_usd'],
  spawns: ['max_children', 'agents'],
  concurrency: ['max_concurrent'],
  messages: ['message', 'message_limit'],
  depth: ['maxSubagentDepth', 'max_depth'],
  time: ['duration', 'max_duration_ms', 'maxExecutionTimeMs', 'working'],
  wallTime: ['wall', 'timeout', 'timeoutMs', 'maxRuntimeMs'],
  idleTime: ['idle', 'heartbeat'],
} as const satisfies Record<Meter, readonly string[]>

/** Claude Code counts the model's turns, so its name is refused wherever `turns` means tool calls. */
export const CLAUDE_CODE_ALIASES = { maxTurns: 'modelCalls' } as const satisfies Record<string, Meter>

/** The limit fields of pi: an agent's own, then those of a run. */
export const PI_NAMES = ['maxSubagentDepth', 'maxExecutionTimeMs', 'maxTokens', 'timeoutMs', 'maxRuntimeMs'] as const

/** One name of a meter, and how a value is written under it. */
export interface NamedLimit {
  readonly name: string
  readonly meter: Meter
  /** Names that include their unit or belong to another format accept whole numbers only: no suffix, no unit. */
  readonly isWhole: boolean
  /** The published schema's range, which applies to the name wherever it is used. */
  readonly published: PublishedRange | null
}

function namedLimit(name: string, meter: Meter): NamedLimit {
  const published = Object.hasOwn(PUBLISHED_RANGES, name)
    ? PUBLISHED_RANGES[name as keyof typeof PUBLISHED_RANGES]
    : null
  const isWhole = isOneOf(name, PI_NAMES) || Object.hasOwn(CLAUDE_CODE_ALIASES, name)
  return { name, meter, isWhole: isWhole || (published !== null && METERS[meter].unit !== 'nanoUsd'), published }
}

const NATIVE: readonly NamedLimit[] = METER_NAMES.flatMap((meter) =>
  [meter, ...LIMIT_ALIASES[meter]].map((name) => namedLimit(name, meter)),
)

const LIMITS_BY_FORMAT: Readonly<Record<LimitFormat, readonly NamedLimit[]>> = {
  native: NATIVE,
  execution_limits: NATIVE.filter(({ published }) => published !== null),
  pi: NATIVE.filter(({ name }) => isOneOf(name, PI_NAMES)),
  'claude-code': Object.entries(CLAUDE_CODE_ALIASES).map(([name, meter]) => namedLimit(name, meter)),
}

/** Every name of a format, in the order of the meters, a meter's own name first. */
export function namedLimitsOf(format: LimitFormat): readonly NamedLimit[] {
  return LIMITS_BY_FORMAT[format]
}

/** The limit that `name` means in this format; `null` if it means none. */
export function findNamedLimit(name: string, format: LimitFormat = 'native'): NamedLimit | null {
  return LIMITS_BY_FORMAT[format].find((limit) => limit.name === name) ?? null
}

/** Whether a limit on this meter may have a period: only counters can start over. */
export function allowsPeriod(meter: Meter): boolean {
  return isCounterMeter(meter)
}
