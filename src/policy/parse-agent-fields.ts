import { showValue } from '../core/errors.ts'
import type { Layer } from '../core/limit-source.ts'
import { suggestName } from '../core/suggest-name.ts'
import { isPlainObject } from './is-plain-object.ts'
import { CLAUDE_CODE_ALIASES, findNamedLimit, type LimitFormat, namedLimitsOf, PI_NAMES } from './limit-names.ts'
import { createExecutionLimitsReader, type ExecutionLimits } from './parse-execution-limits.ts'
import { readLimits } from './parse-limits.ts'
import type { ParseOptions } from './parse-options.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { PUBLISHED_RANGES } from './published-ranges.ts'
import { readLimitsObject } from './read-limits-object.ts'
import { type Refusal, refuse } from './reading.ts'
import { refuseName } from './refuse-name.ts'
import { placeAt } from './written-at.ts'

/** Whose agent file it is. */
export type AgentFormat = 'stint' | 'pi' | 'claude-code'

export interface AgentFieldsOptions {
  readonly format: AgentFormat
  /** `project` unless told otherwise. */
  readonly layer?: Layer | undefined
  readonly file?: string | undefined
  /** The line of a field such as `limits.tokens`, where the reader of the file knows it. */
  readonly lineOf?: ((field: string) => number | undefined) | undefined
  /** The field that holds these fields, e.g. `agents.developer` of a settings file. */
  readonly field?: string | undefined
}

/** The limits in an agent's fields. `defaults` are there only beside an `execution_limits` object. */
export interface AgentLimits extends Omit<ExecutionLimits, 'defaults'> {
  readonly defaults: ParsedLimits | null
}

// Fields for limits that every agent file may have, beside those of its own format.
const COMMON_FIELDS = ['limits', 'onLimit', 'execution_limits'] as const

const OWN_FIELDS: Readonly<Record<AgentFormat, { readonly format: LimitFormat; readonly names: readonly string[] }>> = {
  stint: {
    format: 'native',
    names: [...Object.keys(PUBLISHED_RANGES), 'timeout_action', 'timeoutMs', 'maxRuntimeMs'],
  },
  pi: { format: 'pi', names: PI_NAMES },
  'claude-code': { format: 'claude-code', names: Object.keys(CLAUDE_CODE_ALIASES) },
}

/**
 * Picks the limits out of an agent's front matter, which is a plain object already. Other fields are left alone,
 * but one that is a limit's name elsewhere, or nearly one, is refused: unread, it would mean "unlimited".
 */
export function parseAgentFields(frontMatter: unknown, options: AgentFieldsOptions): AgentLimits {
  const problems = createProblemList()
  const reader = createExecutionLimitsReader(problems)
  const at: ParseOptions = {
    ...options,
    layer: options.layer ?? 'project',
    line: options.lineOf,
    format: 'native',
    allowFalse: true,
  }
  const own = OWN_FIELDS[options.format]
  const fields = fieldsOf(frontMatter, at, problems)
  const ownFields = Object.entries(fields).filter(([key]) => own.names.includes(key))
  readLimitsObject(Object.fromEntries(ownFields), [], { ...at, format: own.format }, reader.own)
  const has = (field: string) => Object.hasOwn(fields, field)
  if (has('onLimit')) readLimitsObject({ onLimit: fields.onLimit }, [], at, reader.own)
  if (has('limits')) readLimits(fields.limits, ['limits'], at, reader.own)
  if (has('execution_limits')) reader.read(fields.execution_limits, ['execution_limits'], at)
  refuseLostLimits(fields, options.format, at, problems)
  const limits = reader.finish(at.layer ?? 'project')
  return has('execution_limits') ? limits : { ...limits, defaults: null }
}

const MOST_FIELDS = 1000

function fieldsOf(frontMatter: unknown, at: ParseOptions, problems: ProblemList): Readonly<Record<string, unknown>> {
  if (isPlainObject(frontMatter) && Object.keys(frontMatter).length <= MOST_FIELDS) return frontMatter
  const refusal = refuse(
    `${showValue(frontMatter)} is no set of at most ${MOST_FIELDS} fields. Write e.g. limits: { toolCalls: 25 }.`,
  )
  problems.refuse(placeAt(at, 'front matter', []), frontMatter, refusal)
  return {}
}

// Names like `maxTokens` or `tool_calls` mean a limit in every file; a plain word like `steps` may be a foreign field.
const isDistinctive = (name: string) => /[A-Z_]/.test(name)

const SHORTEST_NEAR_MISS = 5

// Other fields of other people's files: a stricter measure than for a key that can only be a limit.
const NEAR_MISS_SHARE = 0.25

function refuseLostLimits(
  fields: Readonly<Record<string, unknown>>,
  format: AgentFormat,
  at: ParseOptions,
  problems: ProblemList,
): void {
  const own = [...COMMON_FIELDS, ...OWN_FIELDS[format].names]
  const elsewhere = [...namedLimitsOf('native').map(({ name }) => name), ...Object.keys(CLAUDE_CODE_ALIASES)]
  const lost = elsewhere.filter((name) => !own.includes(name) && (format === 'stint' || isDistinctive(name)))
  for (const key of Object.keys(fields)) {
    if (own.includes(key)) continue
    const refusal = lost.includes(key)
      ? refuseElsewhere(key)
      : refuseNearMiss(key, [...own, ...lost.filter(isDistinctive)])
    if (refusal !== null) problems.refuse(placeAt(at, key, [key]), fields[key], refusal)
  }
}

function refuseElsewhere(key: string): Refusal {
  const limit = findNamedLimit(key)
  if (limit === null) return refuseName(key, 'native', 'object')
  return refuse(
    `${key} is no field of this kind of file. Write it among the limits, e.g. limits: { ${limit.meter}: … }.`,
  )
}

function refuseNearMiss(key: string, names: readonly string[]): Refusal | null {
  const suggestion = key.length < SHORTEST_NEAR_MISS ? null : suggestName(key, names, NEAR_MISS_SHARE)
  return suggestion === null ? null : refuse(`${showValue(key)} is no field for a limit.`, suggestion)
}
