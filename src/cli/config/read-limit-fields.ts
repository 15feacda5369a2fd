import { assertScopeName, isPlainObject, isStintError, showValue } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import {
  type ExecutionLimits,
  type InvalidLimitError,
  type ParsedLimits,
  parseExecutionLimits,
  parseLimits,
  type SharedLimits,
} from '../../policy/index.ts'
import { commandFor } from '../commands/limits-from-flags.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import { readFields } from './read-fields.ts'

/** How many budgets a file may hold. */
export const MOST_BUDGETS = 1000

/**
 * Reads what stands under `field` as limits of a layer; `null` and problems if it cannot be read. `command`: what brings
 * a change of them into the ledger, where no run reads them.
 */
export function readLimitField(
  document: Document,
  layer: ParsedLimits['layer'],
  field: string | null,
  value: unknown,
  problems: ConfigProblem[],
  command?: string,
): ParsedLimits | null {
  const line = (name: string) => document.lineOf(name)
  const place = { layer, file: document.file, line, command, ...(field === null ? {} : { field }) }
  try {
    return parseLimits(value, place)
  } catch (error) {
    if (!isStintError(error, 'invalid_limit')) throw error
    problems.push(...(error as unknown as InvalidLimitError).problems)
    return null
  }
}

/** What a file says of the limits of runs. */
export interface RunLimits {
  readonly limits: readonly ParsedLimits[]
  /** Those of the caller's team and user. */
  readonly shared: SharedLimits
}

interface RunLimitFields {
  readonly limits?: unknown
  readonly execution_limits?: unknown
  readonly onLimit?: unknown
  readonly timeZone?: unknown
}

const NOTHING: RunLimits = { limits: [], shared: { team: [], user: [] } }

/** Reads the limits of runs: `limits` or `execution_limits`, and `onLimit` and `timeZone` beside them. */
export function readRunLimits(
  document: Document,
  layer: 'user' | 'project',
  fields: RunLimitFields,
  problems: ConfigProblem[],
): RunLimits {
  const { limits, onLimit, timeZone } = fields
  const defaults = {
    ...(onLimit === undefined ? {} : { onLimit }),
    ...(timeZone === undefined ? {} : { timeZone }),
  }
  const beside = readLimitField(document, layer, null, defaults, problems)
  const inside = limits === undefined ? null : readLimitField(document, layer, 'limits', limits, problems)
  const published = readPublished(document, layer, fields.execution_limits, problems)
  if (beside !== null && inside !== null) refuseTwice(document, beside, inside, problems)
  if (problems.length > 0) return NOTHING
  // One layer, so that `onLimit` is about the very limits that it stands beside.
  const written = readLimitField(
    document,
    layer,
    null,
    [beside, inside, published?.limits ?? null].flatMap((parsed) => parsed ?? []),
    problems,
  )
  if (written === null) return NOTHING
  if (published === null) return { ...NOTHING, limits: [written] }
  const { team, user } = published
  const shared = { team: team === null ? [] : [team], user: user === null ? [] : [user] }
  return { limits: [published.defaults, written], shared }
}

function readPublished(
  document: Document,
  layer: 'user' | 'project',
  value: unknown,
  problems: ConfigProblem[],
): ExecutionLimits | null {
  if (value === undefined) return null
  const line = (name: string) => document.lineOf(name)
  try {
    return parseExecutionLimits(value, { layer, file: document.file, line, field: 'execution_limits' })
  } catch (error) {
    if (!isStintError(error, 'invalid_limit')) throw error
    problems.push(...(error as unknown as InvalidLimitError).problems)
    return null
  }
}

/** Said once beside `limits` and once inside, one of them would be ignored. */
function refuseTwice(document: Document, beside: ParsedLimits, inside: ParsedLimits, problems: ConfigProblem[]): void {
  const refuse = (field: string, outer: string, inner: string): void => {
    const message = `${showValue(outer)} here and ${showValue(inner)} in limits are two different values. Keep one.`
    problems.push(problemIn(document, field, outer, message))
  }
  if (beside.onLimit !== null && inside.onLimit !== null && beside.onLimit.action !== inside.onLimit.action) {
    refuse('onLimit', beside.onLimit.action, inside.onLimit.action)
  }
  if (beside.timeZone !== null && inside.timeZone !== null && beside.timeZone.name !== inside.timeZone.name) {
    refuse('timeZone', beside.timeZone.name, inside.timeZone.name)
  }
}

/** Reads `budgets: { 'team:core': { limits } }`. */
export function readBudgets(
  document: Document,
  layer: 'user' | 'project',
  value: unknown,
  problems: ConfigProblem[],
): ReadonlyMap<string, ParsedLimits> {
  const budgets = new Map<string, ParsedLimits>()
  if (!isPlainObject(value)) {
    const form = '{ "team:core": { limits: { cost: { max: 100, per: day } } } }'
    problems.push(
      problemIn(document, 'budgets', value, `${showValue(value)} is no set of budgets. Write e.g. ${form}.`),
    )
    return budgets
  }
  const keys = Object.keys(value)
  if (keys.length > MOST_BUDGETS) {
    const message = `There are ${keys.length} budgets. A file holds at most ${MOST_BUDGETS}.`
    problems.push(problemIn(document, 'budgets', keys.length, message))
    return budgets
  }
  for (const key of keys) {
    const field = fieldName('budgets', key)
    const nameProblem = problemOfName(key)
    if (nameProblem !== null) problems.push(problemIn(document, field, key, nameProblem))
    const fields = readFields(document, field, value[key], ['limits'], problems)
    if (fields === null) continue
    if (fields.limits === undefined) {
      const message = 'limits is missing. Write what the budget has, e.g. limits: { cost: 100 }.'
      problems.push(problemIn(document, field, undefined, message))
      continue
    }
    const command = commandFor('stint budget set', key)
    const limits = readLimitField(document, layer, `${field}.limits`, fields.limits, problems, command)
    if (limits !== null) budgets.set(key, limits)
  }
  return budgets
}

function problemOfName(key: string): string | null {
  try {
    assertScopeName(key)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
