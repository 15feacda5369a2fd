import { isOneOf } from '../../core/checks/is-one-of.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import { type Refusal, refuse } from '../formats/reading-result.ts'
import { CLAUDE_CODE_ALIASES, findNamedLimit, namedLimitsOf } from '../limits/limit-names.ts'
import { SHARED_BUDGET_NAMES } from '../limits/published-ranges.ts'
import { refuseName, SCOPE_FIELDS } from '../limits/refuse-name.ts'

/** What is known of the file that a field is in. */
export interface AgentFile {
  /** The top-level fields that are read. */
  readonly fields: readonly string[]
  /** Whether it is written for Stint, so that a field that sounds like a limit must be one. */
  readonly isNative: boolean
}

const LIMIT_NAMES = namedLimitsOf('native').map(({ name }) => name)

/** Why a field that is not read looks like a limit: ignoring it would mean "unlimited". `null` if it doesn't. */
export function refuseLostLimit(key: string, value: unknown, file: AgentFile): Refusal | null {
  return refuseElsewhere(key) ?? refuseNearMiss(key, value, file) ?? (file.isNative ? refuseLimitLike(key) : null)
}

function refuseElsewhere(key: string): Refusal | null {
  const limit = findNamedLimit(key)
  if (limit !== null) {
    return refuse(
      `${key} is not a field of this kind of file. Write it inside limits, e.g. limits: { ${limit.meter}: … }.`,
    )
  }
  const scopeField = SCOPE_FIELDS.find((field) => fold(field) === fold(key))
  if (scopeField === 'timeout_action') return refuse(`${key} is not a field of this kind of file. Write onLimit.`)
  if (scopeField === 'nearing' || scopeField === 'timeZone') {
    return refuse(`${key} is not a top-level field. Write it inside limits: limits: { ${scopeField}: … }.`)
  }
  const isKnown = Object.hasOwn(CLAUDE_CODE_ALIASES, key) || isOneOf(key, SHARED_BUDGET_NAMES)
  return isKnown ? refuseName(key, 'native', 'object') : null
}

// `time_zone` and `timezone` are spellings of `timeZone`.
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

// Names like `maxTokens` mean a limit in every file; a word near `steps` may be a foreign field.
const isDistinctive = (name: string) => /[A-Z_]/.test(name)

const SHORTEST_NEAR_MISS = 5

// These are fields of other tools' files, so the match is stricter than for a key that can only be a limit.
const NEAR_MISS_SHARE = 0.25

function refuseNearMiss(key: string, value: unknown, { fields, isNative }: AgentFile): Refusal | null {
  // `type: reviewer` is one letter from `time`, but no limit has such a value.
  if (key.length < SHORTEST_NEAR_MISS && (!isNative || value === true || isProse(value))) return null
  const names = [...fields, ...LIMIT_NAMES.filter((name) => isNative || isDistinctive(name))]
  const nearest = suggestName(key, names, NEAR_MISS_SHARE)
  if (nearest === null) return null
  return refuseAs(key, fields.includes(nearest) ? nearest : `limits.${nearest}`)
}

function isProse(value: unknown): boolean {
  return typeof value === 'string' && !/^[-+.$\d]/.test(value)
}

// What a field's name is about, and where that is written. The first match counts.
const SUBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^team.*(?:budg|usd|cost)/, 'execution_limits.team_budget_usd'],
  [/^user.*(?:budg|usd|cost)/, 'execution_limits.user_budget_usd'],
  [/exec/, 'execution_limits'],
  [/token/, 'limits.tokens'],
  [/cost|usd|dollar|spend|budget|price/, 'limits.cost'],
  [/idle/, 'limits.idleTime'],
  [/time|duration|second|minute|hour/, 'limits.time'],
  [/message/, 'limits.messages'],
  [/depth|level/, 'limits.depth'],
  [/concurren|parallel/, 'limits.concurrency'],
  [/spawn|child|subagent/, 'limits.spawns'],
  [/model|llm|request|step/, 'limits.modelCalls'],
  [/turn|call|iter|round|loop/, 'limits.toolCalls'],
]

function refuseLimitLike(key: string): Refusal | null {
  const name = key.toLowerCase()
  const subject = SUBJECTS.find(([words]) => words.test(name))?.[1]
  if (/(?<!de)limit|budget|quota|usd/.test(name)) return refuseAs(key, subject ?? 'limits')
  return name.includes('max') && subject !== undefined ? refuseAs(key, subject) : null
}

function refuseAs(key: string, meant: string): Refusal {
  return refuse(`Unknown limit field ${showValue(key)}.`, meant)
}
