import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isPlainObject } from '../../core/checks/is-plain-object.ts'
import { showValue } from '../../core/errors.ts'
import { SHARED_BUDGET_NAMES } from '../limits/published-ranges.ts'
import { type FieldPath, type ParseOptions, placeAt, writtenInCall } from '../limits/written-at.ts'
import { assertParseOptions } from './assert-parse-options.ts'
import { createLimitCollector, type LimitCollector } from './limit-collector.ts'
import type { LimitsObject } from './limits-input.ts'
import { parseLimits } from './parse-limits.ts'
import { type ParsedLimits, tagParsedLimits } from './parsed-limits.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { readLimitsObject } from './read-limits-object.ts'
import { readSharedBudget } from './read-shared-budget.ts'
import { refuse } from './reading-result.ts'

/** The published defaults of an `execution_limits` object. */
export const EXECUTION_LIMIT_DEFAULTS = {
  max_turns: 25,
  max_duration_ms: 600_000,
  max_cost_usd: 1,
  timeout_action: 'terminate',
} as const satisfies LimitsObject

/** The limits in an `execution_limits` object, by the scope that they apply to. */
export interface ExecutionLimits {
  /** The agent's own. */
  readonly limits: ParsedLimits
  /** The published defaults for fields that the object leaves out. */
  readonly defaults: ParsedLimits
  /** For the caller's team and user; `null` if not set. */
  readonly team: ParsedLimits | null
  readonly user: ParsedLimits | null
}

/** Cost limits that the run shares: those of the caller's team, and of the caller per day. */
export interface SharedLimits {
  readonly team: readonly ParsedLimits[]
  readonly user: readonly ParsedLimits[]
}

/** Reads an `execution_limits` object in its published ranges. Throws one `InvalidLimitError` that lists every problem. */
export function parseExecutionLimits(object: unknown, options: Omit<ParseOptions, 'format'> = {}): ExecutionLimits {
  assertParseOptions('parseExecutionLimits', options)
  const reader = createExecutionLimitsReader(createProblemList())
  reader.read(object, [], writtenInCall(options, 'parseExecutionLimits'))
  return reader.finish(options.layer ?? 'call')
}

/** Reads `execution_limits` together with the agent's other limits, which `own` collects. */
export interface ExecutionLimitsReader {
  readonly own: LimitCollector
  read(object: unknown, path: FieldPath, options: ParseOptions): void
  finish(layer: ParsedLimits['layer']): ExecutionLimits
}

export function createExecutionLimitsReader(problems: ProblemList): ExecutionLimitsReader {
  const own = createLimitCollector(problems)
  const shared = { team_budget_usd: createLimitCollector(problems), user_budget_usd: createLimitCollector(problems) }
  return {
    own,
    read: (object, path, options) => {
      if (!isPlainObject(object)) {
        const refusal = refuse(`${showValue(object)} is not an object. Write e.g. { max_turns: 25, max_cost_usd: 1 }.`)
        return problems.refuse(placeAt(options, 'execution_limits', path), object, refusal)
      }
      const rest = Object.entries(object).filter(([key]) => !isOneOf(key, SHARED_BUDGET_NAMES))
      readLimitsObject(Object.fromEntries(rest), path, { ...options, format: 'execution_limits' }, own)
      for (const name of SHARED_BUDGET_NAMES) {
        if (Object.hasOwn(object, name)) readSharedBudget(name, object[name], [...path, name], options, shared[name])
      }
    },
    finish: (layer) => {
      const limits = own.finish(layer)
      const sharedLimits = (collector: LimitCollector): ParsedLimits | null => {
        // Without the agent's own defaults: its action or time zone must not weaken a shared budget.
        const budget = collector.finish(layer)
        return budget.entries.length === 0 ? null : budget
      }
      return {
        limits,
        defaults: defaultsBeside(limits),
        team: sharedLimits(shared.team_budget_usd),
        user: sharedLimits(shared.user_budget_usd),
      }
    },
  }
}

// A default covers the scope's whole life, so a limit per day does not replace it.
function defaultsBeside(limits: ParsedLimits): ParsedLimits {
  const defaults = parseLimits(EXECUTION_LIMIT_DEFAULTS, { layer: 'defaults', format: 'execution_limits' })
  const isWritten = (meter: string) =>
    limits.entries.some((entry) => entry.meter === meter && (entry.kind === 'removal' || entry.per === null))
  return tagParsedLimits({ ...defaults, entries: defaults.entries.filter(({ meter }) => !isWritten(meter)) })
}
