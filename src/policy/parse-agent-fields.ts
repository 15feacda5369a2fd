import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { showValue } from '../core/errors.ts'
import { assertOneOf } from '../core/invalid-option-error.ts'
import { isPlainObject } from '../core/is-plain-object.ts'
import type { Layer } from '../core/limit-source.ts'
import { CLAUDE_CODE_ALIASES, type LimitFormat, PI_NAMES } from './limit-names.ts'
import { createExecutionLimitsReader, type ExecutionLimits } from './parse-execution-limits.ts'
import { readLimits } from './parse-limits.ts'
import type { ParseOptions } from './parse-options.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { PUBLISHED_RANGES } from './published-ranges.ts'
import { readLimitsObject } from './read-limits-object.ts'
import { refuse } from './reading.ts'
import { refuseLostLimit } from './refuse-lost-limit.ts'
import { placeAt } from './written-at.ts'

/** Whose agent file it is. */
export type AgentFormat = 'stint' | 'pi' | 'claude-code'

/** Where an agent's fields stand: its file, or a config that overrides some of them, which takes the words of all. */
export type AgentFieldsFormat = AgentFormat | 'settings'

export interface AgentFieldsOptions {
  readonly format: AgentFieldsFormat
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

const STINT_NAMES = [...Object.keys(PUBLISHED_RANGES), 'timeout_action', 'timeoutMs', 'maxRuntimeMs'] as const

const OWN_FIELDS: Readonly<
  Record<AgentFieldsFormat, { readonly format: LimitFormat; readonly names: readonly string[] }>
> = {
  stint: { format: 'native', names: STINT_NAMES },
  settings: { format: 'native', names: [...new Set([...STINT_NAMES, ...PI_NAMES])] },
  pi: { format: 'pi', names: PI_NAMES },
  'claude-code': { format: 'claude-code', names: Object.keys(CLAUDE_CODE_ALIASES) },
}

const FORMATS = Object.keys(OWN_FIELDS)
const OPTIONS = optionNames<AgentFieldsOptions>({ format: true, layer: true, file: true, lineOf: true, field: true })

/**
 * Picks the limits out of an agent's front matter, which is a plain object already. Other fields are left alone,
 * but one that is a limit's name elsewhere, or nearly one, is refused: unread, it would mean "unlimited".
 */
export function parseAgentFields(frontMatter: unknown, options: AgentFieldsOptions): AgentLimits {
  assertKnownOptions('parseAgentFields', options, OPTIONS)
  assertOneOf('parseAgentFields({ format })', options.format, FORMATS)
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
  const isNative = options.format === 'stint' || options.format === 'settings'
  const file = { fields: limitFieldsOf(options.format), isNative }
  for (const key of Object.keys(fields)) {
    const refusal = file.fields.includes(key) ? null : refuseLostLimit(key, fields[key], file)
    if (refusal !== null) problems.refuse(placeAt(at, key, [key]), fields[key], refusal)
  }
  const limits = reader.finish(at.layer ?? 'project')
  return has('execution_limits') ? limits : { ...limits, defaults: null }
}

/** The fields at the top of such a file that are limits. */
export function limitFieldsOf(format: AgentFieldsFormat): readonly string[] {
  assertOneOf('limitFieldsOf(format)', format, FORMATS)
  return [...COMMON_FIELDS, ...OWN_FIELDS[format].names]
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
