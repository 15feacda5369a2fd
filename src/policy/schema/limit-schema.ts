import { PERIODS } from '../../core/limits/window.ts'
import { allowsPeriod, type NamedLimit } from '../limits/limit-names.ts'
import { ACTION_WORDS, MOST_THRESHOLDS, TIME_ZONE_PATTERN } from '../limits/limit-settings.ts'
import { MOST_LISTED, TOKEN_BASES } from '../limits/read-limit.ts'
import { amountSchemas, REMOVAL_SCHEMAS } from './amount-schema.ts'
import { type JsonSchema, textSchema } from './json-schema.ts'

const THRESHOLD: JsonSchema = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }

/** The parts that every limit shares, by their name in `$defs`. */
export const SHARED_DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  action: { description: 'What happens at the limit.', enum: [...ACTION_WORDS] },
  period: { description: 'When counting starts over.', enum: [...PERIODS] },
  timeZone: { description: 'The IANA name of a time zone.', ...textSchema(TIME_ZONE_PATTERN) },
  nearing: {
    description: 'Fractions of the limit at which an event says that it is near.',
    anyOf: [THRESHOLD, { type: 'array', minItems: 1, maxItems: MOST_THRESHOLDS, items: THRESHOLD }],
  },
}

/** The definitions of a limit of this name in a native object: `NAME`, `NAME.single` and `NAME.max`. */
export function limitDefinitions(limit: NamedLimit): Readonly<Record<string, JsonSchema>> {
  const single = { $ref: `#/$defs/${limit.name}.single` }
  const list = { type: 'array', minItems: 1, maxItems: MOST_LISTED, items: single }
  return {
    [limit.name]: { anyOf: [single, ...REMOVAL_SCHEMAS, ...(allowsPeriod(limit.meter) ? [list] : [])] },
    [`${limit.name}.single`]: { anyOf: [{ $ref: `#/$defs/${limit.name}.max` }, detailSchema(limit)] },
    [`${limit.name}.max`]: { anyOf: amountSchemas(limit) },
  }
}

function detailSchema(limit: NamedLimit): JsonSchema {
  const hasPeriod = allowsPeriod(limit.meter)
  const ofPeriod = { per: { $ref: '#/$defs/period' }, timeZone: { $ref: '#/$defs/timeZone' } }
  const ofTokens = { basis: { enum: Object.keys(TOKEN_BASES) } }
  return {
    type: 'object',
    properties: {
      max: { $ref: `#/$defs/${limit.name}.max` },
      ...(hasPeriod ? ofPeriod : {}),
      action: { $ref: '#/$defs/action' },
      nearing: { $ref: '#/$defs/nearing' },
      ...(limit.meter === 'tokens' ? ofTokens : {}),
    },
    required: ['max'],
    additionalProperties: false,
    ...(hasPeriod ? { dependentRequired: { timeZone: ['per'] } } : {}),
  }
}
