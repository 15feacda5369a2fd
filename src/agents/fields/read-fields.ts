import { showValue, suggestName } from '../../core/index.ts'
import { fieldName } from '../../documents/index.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import { type AgentFields, FIELD_RULES, type FieldName } from './agent-fields.ts'
import type { FieldRule } from './field-rule.ts'

/** The fields of a file or an override, and where they stand. */
export interface WrittenFields {
  readonly file: string
  readonly values: Readonly<Record<string, unknown>>
  /** The field that holds them, e.g. `agents.developer`; `''`: they are at the top. */
  readonly field: string
  lineOf(field: string): number | undefined
}

/** Reads those of the written fields that are among `names`. Each that cannot be read is a problem. */
export function readFields(written: WrittenFields, names: readonly FieldName[], problems: AgentProblem[]): AgentFields {
  const fields: Partial<Record<FieldName, unknown>> = {}
  for (const name of names) {
    if (!Object.hasOwn(written.values, name)) continue
    const value = written.values[name]
    const rule: FieldRule<unknown> = FIELD_RULES[name]
    if (value === false && rule.isCleared) {
      fields[name] = null
      continue
    }
    const read = rule.read(value)
    if (read === null) problems.push(problemAt(written, name, value, refusalOf(rule, value)))
    else fields[name] = read.value
  }
  return fields as AgentFields
}

function refusalOf({ what, example, isCleared, schema }: FieldRule<unknown>, value: unknown): string {
  const words = (schema as { enum?: readonly string[] }).enum
  const nearest = words === undefined || typeof value !== 'string' ? null : suggestName(value, words)
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const none = value === null ? ' To say nothing about it, leave the field out.' : ''
  return `${showValue(value)} is no ${what}. Write ${example}${isCleared && !none ? '; false clears it' : ''}.${none}${hint}`
}

/** A problem of one of the written fields. */
export function problemAt(written: WrittenFields, name: string, value: unknown, message: string): AgentProblem {
  const field = fieldName(written.field, name)
  const line = written.lineOf(field) ?? (written.field === '' ? undefined : written.lineOf(written.field))
  return agentProblem(written.file, { line, field, value }, message)
}
