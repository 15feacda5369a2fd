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

/** What an override says, checked. */
export interface ReadOverride {
  readonly fields: AgentFields
  /** The weakest first. */
  readonly limits: readonly AgentLimits[]
  readonly isDisabled: boolean
  readonly prompt: string | null
  /** Models that it is not believed for, each with its place. */
  readonly untrustedModels?: Readonly<Record<string, string>>
}

/** Reads what a config says about an agent; `null` and problems, each with file and field, if any of it is wrong. */
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
    const message = `${showValue(values)} is no set of fields. Write e.g. { model: sonnet, maxTokens: false }.`
    problems.push({ ...problemAt({ ...written, field: '' }, field, values, message), field })
    return null
  }
  const known: readonly string[] = [...OVERRIDE_FIELDS, ...limitFieldsOf('settings'), ...OVERRIDE_ONLY]
  for (const key of Object.keys(values)) {
    if (known.includes(key)) continue
    const nearest = suggestName(key, known)
    const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
    problems.push(
      problemAt(written, key, values[key], `${showValue(key)} is no field that a config can override.${hint}`),
    )
  }
  const fields = readFields(written, OVERRIDE_FIELDS, problems)
  const limitFields = limitFieldsOf('settings')
  const limitValues = Object.fromEntries(Object.entries(values).filter(([key]) => limitFields.includes(key)))
  const limits = readLimits({ ...written, values: limitValues }, 'settings', layer, problems)
  const { disabled = false, systemPrompt } = values
  if (typeof disabled !== 'boolean') {
    problems.push(problemAt(written, 'disabled', disabled, `${showValue(disabled)} is no switch. Write true or false.`))
  }
  if (systemPrompt !== undefined && !isPrompt(systemPrompt)) {
    const message = `${showValue(systemPrompt)} is no prompt. Write text of at most ${LONGEST_PROMPT} characters.`
    problems.push(problemAt(written, 'systemPrompt', systemPrompt, message))
  }
  if (problems.length > before || limits === null) return null
  const prompt = typeof systemPrompt === 'string' ? systemPrompt.trim() : null
  return { fields, limits: [limits], isDisabled: disabled === true, prompt }
}

/** Everything that is wrong with what a config says about an agent. */
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
