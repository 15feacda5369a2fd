import { METERS } from '../../core/meter.ts'
import { MOST_PARTS } from '../formats/parse-limits.ts'
import { type NamedLimit, namedLimitsOf } from '../limits/limit-names.ts'
import { PUBLISHED_ACTION_WORDS } from '../limits/limit-settings.ts'
import { JSON_SCHEMA_DIALECT, type JsonSchema } from './json-schema.ts'
import { limitDefinitions, SHARED_DEFINITIONS } from './limit-schema.ts'
import { limitTextSchema } from './limit-text-schema.ts'

/** Rules that the schema cannot express, so that only the parser checks them. Each has a test. */
export const LIMITS_PARSER_RULES = [
  'one meter and period written twice (under two names, or in two parts of a list) must have the same value',
  'onLimit and timeout_action, nearing or timeZone, written twice, must have the same value',
  'a time zone must exist',
] as const

/** The schema of what `parseLimits` accepts. */
export function limitsSchema(): JsonSchema {
  const named = namedLimitsOf('native')
  const object = { $ref: '#/$defs/limits' }
  return {
    $schema: JSON_SCHEMA_DIALECT,
    title: 'Limits',
    description: `Limits of a scope, as Stint's parseLimits reads them. Beyond this schema the parser checks: ${LIMITS_PARSER_RULES.join('; ')}.`,
    anyOf: [object, { type: 'array', maxItems: MOST_PARTS, items: { anyOf: [object, { $ref: '#/$defs/limitText' }] } }],
    $defs: {
      limits: {
        type: 'object',
        properties: {
          ...Object.fromEntries(named.map((limit) => [limit.name, propertyOf(limit)])),
          onLimit: { $ref: '#/$defs/action' },
          timeout_action: { description: 'The published name of onLimit.', enum: [...PUBLISHED_ACTION_WORDS] },
          nearing: { $ref: '#/$defs/nearing' },
          timeZone: { $ref: '#/$defs/timeZone' },
        },
        additionalProperties: false,
      },
      limitText: limitTextSchema(),
      ...SHARED_DEFINITIONS,
      ...Object.assign({}, ...named.filter(hasOwnForm).map(limitDefinitions)),
    },
  }
}

// An alias is written like its meter, unless it has its own form.
function hasOwnForm(limit: NamedLimit): boolean {
  return limit.name === limit.meter || limit.isWhole || limit.published !== null
}

function propertyOf(limit: NamedLimit): JsonSchema {
  const definition = hasOwnForm(limit) ? limit.name : limit.meter
  const description = limit.name === limit.meter ? METERS[limit.meter].words : `An alias of ${limit.meter}.`
  return { description, $ref: `#/$defs/${definition}` }
}
