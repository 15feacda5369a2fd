import { amountFormOf } from '../amount-form.ts'
import type { NamedLimit } from '../limit-names.ts'
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

/** "Unlimited": removes what lower layers wrote. */
export const REMOVAL_SCHEMAS: readonly JsonSchema[] = [{ type: 'null' }, { const: 'unlimited' }]
