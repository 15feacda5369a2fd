import { agentSpawnParamsSchema, type JsonSchema, limitFieldsOf, limitsSchema } from '../policy/index.ts'
import { askAboveSchema } from '../policy/schema/ask-above-schema.ts'
import { OVERRIDE_FIELDS, overrideFieldSchema } from './fields/agent-fields.ts'
import { LONGEST_PROMPT } from './override.ts'

type Properties = Readonly<Record<string, JsonSchema>>

const SCOPE_FIELDS = ['onLimit', 'timeout_action', 'nearing', 'timeZone']

/** The JSON schema of what a config overrides in an agent, as definitions that refer to those of limits. `false` clears a field. */
export function overrideDefinitions(): JsonSchema {
  const { anyOf, $defs } = limitsSchema() as { anyOf: readonly JsonSchema[]; $defs: { limits: JsonSchema } }
  const spawn = agentSpawnParamsSchema() as { $defs: { execution_limits: JsonSchema } }
  const agentLimits = withFalse($defs.limits) as { properties: Properties }
  const object = { $ref: '#/$defs/agentLimits' }
  const own = limitFieldsOf('settings').filter((name) => Object.hasOwn(agentLimits.properties, name))
  return {
    agentOverride: {
      type: 'object',
      properties: {
        disabled: { type: 'boolean' },
        systemPrompt: { type: 'string', maxLength: LONGEST_PROMPT, pattern: '^[^\\u0000]*$' },
        ...Object.fromEntries(OVERRIDE_FIELDS.map((name) => [name, overrideFieldSchema(name)])),
        limits: { anyOf: [object, { ...anyOf[1], items: { anyOf: [object, { $ref: '#/$defs/limitText' }] } }] },
        execution_limits: withFalse(spawn.$defs.execution_limits),
        askAbove: askAboveSchema({ allowFalse: true }),
        ...Object.fromEntries(own.map((name) => [name, agentLimits.properties[name]!])),
      },
      additionalProperties: false,
    },
    agentLimits,
  }
}

function withFalse(schema: JsonSchema): JsonSchema {
  const entries = Object.entries((schema as { properties: Properties }).properties)
  const properties = entries.map(([name, each]) => [
    name,
    SCOPE_FIELDS.includes(name) ? each : { anyOf: [{ const: false }, each] },
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}
