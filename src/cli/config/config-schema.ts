import { agentSpawnParamsSchema, type JsonSchema, limitsSchema } from '../../policy/index.ts'
import { AGENTS_SCHEMA, agentDefinitions } from './agents-schema.ts'
import { MCP_SERVERS_SCHEMA } from './mcp-servers-schema.ts'
import { PRICES_SCHEMA } from './price-schema.ts'
import { MOST_BUDGETS } from './read-limit-fields.ts'
import { LONGEST_LOG_PATH, MOST_LOG } from './read-log.ts'
import { MODEL_PATTERN, MOST_MODELS, SHORT_NAME_PATTERN } from './read-models.ts'
import { LONGEST_WORD, MOST_WORDS } from './read-on-ask.ts'
import { MOST_PROVIDERS, PROVIDER_PATTERN, PROVIDERS_WITH_ADDRESS } from './read-providers.ts'
import { BASE_URL_PATTERN, LONGEST_KEY_PATH, VARIABLE_PATTERN } from './read-upstreams.ts'
import { STORE_ADDRESS_PATTERN } from './store-address.ts'
import { UPSTREAM_NAMES } from './upstream-settings.ts'

/** What the schema of a config cannot say, so that only the parser refuses it. Each has a test. */
export const CONFIG_PARSER_RULES = [
  'the rules of limits.json that only its parser checks',
  'onLimit and timeZone must not differ from those inside limits',
  'the key of a budget must be a name that a scope can have, and so must team and user',
  'a price must be one that a model can have, for a model that is priced once, on a day that exists',
  'the base URL of an upstream must be one that can be called, for Anthropic without /v1; only a config that is trusted has upstreams',
  'the same goes for the base URL of a provider of models',
  'the address of an MCP server must be one that can be called; only a config that is trusted sets up MCP servers',
  'what an agent lists in one text with commas must be models, or paths in the working folder, where a list of them must; and its limits are limits that two names do not give twice',
] as const

const CALLER_PATTERN = '\\S'

const UPSTREAM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    baseUrl: { type: 'string', pattern: BASE_URL_PATTERN },
    apiKeyEnv: { type: 'string', pattern: VARIABLE_PATTERN },
    apiKeyFile: { type: 'string', minLength: 1, maxLength: LONGEST_KEY_PATH, pattern: '^[^\\u0000]*$' },
  },
  not: { type: 'object', properties: { apiKeyEnv: {}, apiKeyFile: {} }, required: ['apiKeyEnv', 'apiKeyFile'] },
  additionalProperties: false,
}

const PROVIDER_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    baseUrl: { type: 'string', pattern: BASE_URL_PATTERN },
    apiKeyEnv: { type: 'string', pattern: VARIABLE_PATTERN },
  },
  additionalProperties: false,
}

/** The schema of a config file, for editors: `stint.config.yaml`, or the user's `config.yaml`. */
export function configSchema(): JsonSchema {
  const { $schema, anyOf, $defs } = limitsSchema() as { $schema: string; anyOf: readonly unknown[]; $defs: JsonSchema }
  const spawn = agentSpawnParamsSchema() as { $defs: { execution_limits: JsonSchema } }
  const path = { type: 'string', minLength: 1, maxLength: LONGEST_LOG_PATH, pattern: '^[^\\u0000]*$' }
  const count = (name: keyof typeof MOST_LOG) => ({ type: 'integer', minimum: 1, maximum: MOST_LOG[name] })
  return {
    $schema,
    title: 'Stint config',
    description: `A config file of Stint. Beyond this schema the parser checks: ${CONFIG_PARSER_RULES.join('; ')}.`,
    type: ['object', 'null'],
    properties: {
      $schema: { type: 'string' },
      store: {
        description: 'The ledger: sqlite:PATH, or memory: to try things out. A path starts at the folder of this file.',
        type: 'string',
        pattern: `^(?:${STORE_ADDRESS_PATTERN})$`,
      },
      limits: { description: 'The limits of runs.', $ref: '#/$defs/limitsInput' },
      execution_limits: {
        description: 'The limits of runs in the published form, with its defaults for what it leaves out.',
        $ref: '#/$defs/execution_limits',
      },
      onLimit: { $ref: '#/$defs/action' },
      timeZone: { $ref: '#/$defs/timeZone' },
      ceilings: { description: 'What no limit of a run is ever above.', $ref: '#/$defs/limitsInput' },
      team: {
        description: 'The team whose runs these are: its budget is team:NAME.',
        type: 'string',
        pattern: CALLER_PATTERN,
      },
      user: {
        description: 'The user whose runs these are: the budget is user:NAME.',
        type: 'string',
        pattern: CALLER_PATTERN,
      },
      budgets: {
        description: 'The budgets of teams and users, which `stint budget set` writes into the ledger.',
        type: 'object',
        maxProperties: MOST_BUDGETS,
        additionalProperties: {
          type: 'object',
          properties: { limits: { $ref: '#/$defs/limitsInput' } },
          required: ['limits'],
          additionalProperties: false,
        },
      },
      prices: PRICES_SCHEMA,
      log: {
        description: 'Where events are logged: false, a path, or a path with its bounds.',
        anyOf: [
          { const: false },
          path,
          {
            type: 'object',
            properties: { file: path, maxBytes: count('maxBytes'), keep: count('keep') },
            required: ['file'],
            additionalProperties: false,
          },
        ],
      },
      upstreams: {
        description: 'Where the gateway sends requests. The key of a provider is in a variable or a file, never here.',
        type: 'object',
        properties: Object.fromEntries(UPSTREAM_NAMES.map((name) => [name, UPSTREAM_SCHEMA])),
        additionalProperties: false,
      },
      agents: AGENTS_SCHEMA,
      models: {
        description: 'Short names of models: default, haiku, sonnet, opus, or any word.',
        type: 'object',
        maxProperties: MOST_MODELS,
        propertyNames: { type: 'string', pattern: SHORT_NAME_PATTERN },
        additionalProperties: { type: 'string', pattern: MODEL_PATTERN },
      },
      providers: {
        description:
          'Providers of models that speak OpenAI’s chat completions, and other addresses of anthropic, openai and google. The key is in a variable, never here.',
        type: 'object',
        maxProperties: MOST_PROVIDERS,
        propertyNames: { type: 'string', pattern: PROVIDER_PATTERN },
        properties: Object.fromEntries(PROVIDERS_WITH_ADDRESS.map((name) => [name, PROVIDER_SCHEMA])),
        additionalProperties: { ...PROVIDER_SCHEMA, required: ['baseUrl'] },
      },
      mcpServers: MCP_SERVERS_SCHEMA,
      onAsk: {
        description:
          'The command that is run when a run asks for more: a program with its arguments, or a text for the shell.',
        anyOf: [
          { type: 'string', maxLength: LONGEST_WORD, pattern: '^(?=[^\\u0000]*\\S)[^\\u0000]*$' },
          {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: LONGEST_WORD, pattern: '^[^\\u0000]*$' },
            minItems: 1,
            maxItems: MOST_WORDS,
          },
        ],
      },
    },
    additionalProperties: false,
    $defs: { limitsInput: { anyOf }, ...$defs, execution_limits: spawn.$defs.execution_limits, ...agentDefinitions() },
  }
}
