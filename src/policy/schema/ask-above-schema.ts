import { ASK_ABOVE_NAMES } from '../formats/parse-ask-above.ts'
import { findNamedLimit } from '../limits/limit-names.ts'
import { REMOVAL_SCHEMAS } from './amount-schema.ts'
import type { JsonSchema } from './json-schema.ts'

/** The schema of what `parseAskAbove` accepts in a file. Refers to the definitions of `limitsSchema`. */
export function askAboveSchema({ allowFalse }: { readonly allowFalse: boolean }): JsonSchema {
  const more = allowFalse ? [{ const: false }] : []
  const properties = ASK_ABOVE_NAMES.map((name) => {
    const amount = { $ref: `#/$defs/${findNamedLimit(name)!.meter}.max` }
    return [name, { anyOf: [amount, ...REMOVAL_SCHEMAS, ...more] }]
  })
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}
