import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertOneOf } from '../../core/checks/invalid-option-error.ts'
import { isPlainObject } from '../../core/checks/is-plain-object.ts'
import { showValue } from '../../core/errors.ts'
import type { Layer } from '../../core/limits/limit-source.ts'
import { refuseLostLimit } from '../layers/refuse-lost-limit.ts'
import { CLAUDE_CODE_ALIASES, type LimitFormat, PI_NAMES } from '../limits/limit-names.ts'
import { PUBLISHED_RANGES } from '../limits/published-ranges.ts'
import { type ParseOptions, placeAt } from '../limits/written-at.ts'
import { parseAskAbove } from './parse-ask-above.ts'
import { createExecutionLimitsReader, type ExecutionLimits } from './parse-execution-limits.ts'
import { readLimits } from './parse-limits.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { readLimitsObject } from './read-limits-object.ts'
import { refuse } from './reading-result.ts'

/** The tool whose agent file format it is. */
export type AgentFormat = 'stint' | 'pi' | 'claude-code'

/** The format of an agent's fields: that of its file, or `settings`, the config's overrides, which accept every name. */
export type AgentFieldsFormat = AgentFormat | 'settings'

export interface AgentFieldsOptions {
  readonly format: AgentFieldsFormat
  /** Default: `project`. */
  readonly layer?: Layer | undefined
  readonly file?: string | undefined
  /** The line of a field such as `limits.tokens`, where the reader of the file knows it. */
  readonly lineOf?: ((field: string) => number | undefined) | undefined
  /** The field that holds these fields, e.g. `agents.developer` of a settings file. */
  readonly field?: string | undefined
}

/** The limits in an agent's fields. `defaults` is set only if there is an `execution_limits` object. */
export interface AgentLimits extends Omit<ExecutionLimits, 'defaults'> {
  readonly defaults: ParsedLimits | null
  /** How much it may plan before a person is asked; empty if not set. */
  readonly askAbove: readonly ParsedLimits[]
}

// Limit fields that every agent file may have, in addition to those of its own format.
const COMMON_FIELDS = ['limits', 'onLimit', 'execution_limits', 'askAbove'] as const

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
 * Reads the limits from an agent's parsed front matter. Other fields are ignored, except those that are (nearly) a
 * limit's name in another format: ignoring one would mean "unlimited".
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
  const field = at.field === undefined ? 'askAbove' : `${at.field}.askAbove`
  const { layer, file: name, line } = at
  const place = { layer, file: name, line, field, allowFalse: true }
  const askAbove = has('askAbove') ? [parseAskAbove(fields.askAbove, place)] : []
  return { ...limits, askAbove, ...(has('execution_limits') ? {} : { defaults: null }) }
}

/** The top-level fields of such a file that are limits. */
export function limitFieldsOf(format: AgentFieldsFormat): readonly string[] {
  assertOneOf('limitFieldsOf(format)', format, FORMATS)
  return [...COMMON_FIELDS, ...OWN_FIELDS[format].names]
}

const MOST_FIELDS = 1000

function fieldsOf(frontMatter: unknown, at: ParseOptions, problems: ProblemList): Readonly<Record<string, unknown>> {
  if (isPlainObject(frontMatter) && Object.keys(frontMatter).length <= MOST_FIELDS) return frontMatter
  const refusal = refuse(
    `${showValue(frontMatter)} is not an object with at most ${MOST_FIELDS} fields. Write e.g. limits: { toolCalls: 25 }.`,
  )
  problems.refuse(placeAt(at, 'front matter', []), frontMatter, refusal)
  return {}
}
