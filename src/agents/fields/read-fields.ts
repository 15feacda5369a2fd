import { showValue, suggestName } from '../../core/index.ts'
import { fieldName } from '../../documents/index.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import { type AgentFields, FIELD_RULES, type FieldName } from './agent-fields.ts'
import type { FieldRule } from './field-rule.ts'

/** The fields of a file or an override, and where they are written. */
export interface WrittenFields {
  readonly file: string
  readonly values: Readonly<Record<string, unknown>>
  /** The field that holds them, e.g. `agents.developer`; `''` for the top level. */
  readonly field: string
  lineOf(field: string): number | undefined
}

/** Reads the written fields that are in `names`. Each invalid one is a problem. */
export function readFields(written: WrittenFields, names: readonly FieldName[], problems: AgentProblem[]): AgentFields {
  return readByRules(written, Object.fromEntries(names.map((name) => [name, FIELD_RULES[name]])), problems)
}

type Rules = Readonly<Record<string, FieldRule<unknown>>>

/** The fields that rules have read. Absent: not written, or invalid; `null`: cleared. */
export type FieldsOf<Given extends Rules> = {
  -readonly [Name in keyof Given]?: (Given[Name] extends FieldRule<infer Value> ? Value : never) | null
}

/** The same for the fields of other files. */
export function readByRules<Given extends Rules>(
  written: WrittenFields,
  rules: Given,
  problems: AgentProblem[],
): FieldsOf<Given> {
  const fields: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(rules)) {
    if (!Object.hasOwn(written.values, name)) continue
    const value = written.values[name]
    if (value === false && rule.isCleared) {
      fields[name] = null
      continue
    }
    const read = rule.read(value)
    if (read === null) problems.push(...problemsOf(written, name, rule, value))
    else fields[name] = read.value
  }
  return fields as FieldsOf<Given>
}

function problemsOf(
  written: WrittenFields,
  name: string,
  rule: FieldRule<unknown>,
  value: unknown,
): readonly AgentProblem[] {
  const inside = rule.problems?.(value) ?? []
  if (inside.length === 0) return [problemAt(written, name, value, refusalOf(rule, value))]
  return inside.map(({ field, value: wrong, message }) => {
    const at = fieldName(written.field, name)
    const whole = field === '' ? at : `${at}.${field}`
    const line = written.lineOf(whole) ?? problemAt(written, name, value, '').line
    return agentProblem(written.file, { line, field: whole, value: wrong }, message)
  })
}

function refusalOf({ what, example, isCleared, schema }: FieldRule<unknown>, value: unknown): string {
  const words = (schema as { enum?: readonly string[] }).enum
  const nearest = words === undefined || typeof value !== 'string' ? null : suggestName(value, words)
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const none = value === null ? ' To leave it unset, leave the field out.' : ''
  return `${showValue(value)} is not ${what}. Write ${example}${isCleared && !none ? '; false clears it' : ''}.${none}${hint}`
}

/** A problem with one of the written fields. */
export function problemAt(written: WrittenFields, name: string, value: unknown, message: string): AgentProblem {
  const field = fieldName(written.field, name)
  const line = written.lineOf(field) ?? (written.field === '' ? undefined : written.lineOf(written.field))
  return agentProblem(written.file, { line, field, value }, message)
}
