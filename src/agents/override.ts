import { isPlainObject, showValue, suggestName } from '../core/index.ts'
import { type AgentLimits, limitFieldsOf, type ParsedLimits } from '../policy/index.ts'
import type { AgentOverride } from './agent.ts'
import type { AgentProblem } from './agent-problem.ts'
import { type AgentFields, OVERRIDE_FIELDS } from './fields/agent-fields.ts'
import { problemAt, readFields, type WrittenFields } from './fields/read-fields.ts'
import { readLimits } from './fields/read-limits.ts'

// Fields that only an override has.
const OVERRIDE_ONLY = ['disabled', 'systemPrompt'] as const

/** The longest prompt that a config may give an agent. */
export const LONGEST_PROMPT = 100_000

/** A valid override. */
export interface ReadOverride {
  readonly fields: AgentFields
  /** Weakest first. */
  readonly limits: readonly AgentLimits[]
  readonly isDisabled: boolean
  readonly prompt: string | null
  /** Models that it is not trusted with, and their places. */
  readonly untrustedModels?: Readonly<Record<string, string>>
}

/** Reads one agent's override in a config. If anything is wrong, adds problems and returns `null`. */
export function readOverride(
  file: string,
  override: AgentOverride,
  layer: ParsedLimits['layer'],
  problems: AgentProblem[],
): ReadOverride | null {
  const before = problems.length
  const { fields: values, field, lineOf } = override
  const written: WrittenFields = { file, values, field, lineOf }
  if (!isPlainObject(values)) {
    const message = `${showValue(values)} is not an object. Write e.g. { model: sonnet, maxTokens: false }.`
    problems.push({ ...problemAt({ ...written, field: '' }, field, values, message), field })
    return null
  }
  const known: readonly string[] = [...OVERRIDE_FIELDS, ...limitFieldsOf('settings'), ...OVERRIDE_ONLY]
  for (const key of Object.keys(values)) {
    if (known.includes(key)) continue
    const nearest = suggestName(key, known)
    const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
    problems.push(problemAt(written, key, values[key], `A config cannot override the field ${showValue(key)}.${hint}`))
  }
  const fields = readFields(written, OVERRIDE_FIELDS, problems)
  const limitFields = limitFieldsOf('settings')
  const limitValues = Object.fromEntries(Object.entries(values).filter(([key]) => limitFields.includes(key)))
  const limits = readLimits({ ...written, values: limitValues }, 'settings', layer, problems)
  const { disabled = false, systemPrompt } = values
  if (typeof disabled !== 'boolean') {
    problems.push(
      problemAt(written, 'disabled', disabled, `${showValue(disabled)} is not a boolean. Write true or false.`),
    )
  }
  if (systemPrompt !== undefined && !isPrompt(systemPrompt)) {
    const message = `${showValue(systemPrompt)} is not a prompt. Write text of at most ${LONGEST_PROMPT} characters.`
    problems.push(problemAt(written, 'systemPrompt', systemPrompt, message))
  }
  if (problems.length > before || limits === null) return null
  const prompt = typeof systemPrompt === 'string' ? systemPrompt.trim() : null
  return { fields, limits: [limits], isDisabled: disabled === true, prompt }
}

/** All problems with an agent's override. */
export function checkOverride(
  file: string,
  override: AgentOverride,
  layer: ParsedLimits['layer'],
): readonly AgentProblem[] {
  const problems: AgentProblem[] = []
  readOverride(file, override, layer, problems)
  return problems
}

function isPrompt(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_PROMPT && !value.includes('\0')
}
