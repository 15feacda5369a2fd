import * as z from 'zod/mini'
import { overrideDefinitions } from '../agents/override-schema.ts'
import { agentSpawnParamsSchema, type JsonSchema, limitsSchema } from '../policy/index.ts'
import { JSON_KEYWORDS } from './schema-forms.ts'
import { SETTING_NAMES, SETTINGS } from './settings.ts'

/** Rules that a JSON schema cannot express, so that only the parser checks them. Each has a test. */
export const CONFIG_PARSER_RULES = [
  'the rules of limits.json that only its parser checks',
  'onLimit and timeZone must not differ from those inside limits',
  'the key of a budget, team and user must be valid scope names',
  'a price must be plausible, a model must not be priced twice, and the days of prices must exist',
  'the base URL of an upstream must be callable, for Anthropic without /v1; only a trusted config has upstreams',
  'the same applies to the base URL of a model provider',
  'the address of an MCP server must be callable; only a trusted config sets up MCP servers',
  'a comma-separated text in the override of an agent must have valid items, like a list; its limits must not set one meter under two names',
] as const

/** The JSON schema of a config file, for editors. */
export function configSchema(): JsonSchema {
  const { $schema, anyOf, $defs } = limitsSchema() as { $schema: string; anyOf: readonly unknown[]; $defs: JsonSchema }
  const spawn = agentSpawnParamsSchema() as { $defs: { execution_limits: JsonSchema } }
  return {
    $schema,
    title: 'Stint config',
    description: `A config file of Stint. Beyond this schema the parser checks: ${CONFIG_PARSER_RULES.join('; ')}.`,
    type: ['object', 'null'],
    properties: Object.fromEntries(SETTING_NAMES.map((name) => [name, settingSchema(name)])),
    additionalProperties: false,
    $defs: {
      limitsInput: { anyOf },
      ...$defs,
      execution_limits: spawn.$defs.execution_limits,
      ...overrideDefinitions(),
    },
  }
}

function settingSchema(name: (typeof SETTING_NAMES)[number]): JsonSchema {
  const { schema, description } = SETTINGS[name]
  const { $schema, ...keywords } = z.toJSONSchema(schema, {
    metadata: JSON_KEYWORDS,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.description !== undefined) jsonSchema.description = plainText(jsonSchema.description)
    },
  })
  return { description: plainText(description), ...keywords }
}

/** A description without links, which lead nowhere in an editor. */
function plainText(markdown: string): string {
  return `${markdown.replace(/: see \[below\]\(#[^)]+\)/, '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')}.`
}
