import { amountFormOf } from '../limits/amount-form.ts'
import type { NamedLimit } from '../limits/limit-names.ts'
import { type JsonSchema, textSchema } from './json-schema.ts'

/** The ways to write a maximum under this name, as alternatives. */
export function amountSchemas(limit: NamedLimit): readonly JsonSchema[] {
  const form = amountFormOf(limit)
  const number = {
    type: form.isInteger ? 'integer' : 'number',
    minimum: form.minimum,
    [form.isMaximumExclusive ? 'exclusiveMaximum' : 'maximum']: form.maximum,
  }
  return form.text === null ? [number] : [number, textSchema(form.text)]
}

/** "Unlimited": removes the limits of lower layers. */
export const REMOVAL_SCHEMAS: readonly JsonSchema[] = [{ type: 'null' }, { const: 'unlimited' }]
