import { EXECUTION_LIMIT_DEFAULTS } from '../formats/parse-execution-limits.ts'
import { sharedBudget } from '../formats/read-shared-budget.ts'
import { namedLimitsOf } from '../limits/limit-names.ts'
import { PUBLISHED_ACTION_WORDS } from '../limits/limit-settings.ts'
import { SHARED_BUDGET_NAMES } from '../limits/published-ranges.ts'
import { amountSchemas, REMOVAL_SCHEMAS } from './amount-schema.ts'
import { JSON_SCHEMA_DIALECT, type JsonSchema } from './json-schema.ts'

/** Rules that the schema of `execution_limits` cannot express. Each has a test. */
export const EXECUTION_LIMITS_PARSER_RULES = [
  'max_cost_usd and max_total_cost_usd must have the same value if both are set',
  'timeoutMs and maxRuntimeMs must have the same value if both are set',
  'the criteria and the commands of acceptance must have different ids',
] as const

const LONGEST_TIMEOUT_MS = 366 * 24 * 60 * 60 * 1000
const TIMEOUT: JsonSchema = { type: 'integer', minimum: 1, maximum: LONGEST_TIMEOUT_MS }

/** The schema of an agent's spawn parameters, with its `execution_limits`. `others`: parameters that are not about limits. */
export function agentSpawnParamsSchema(others: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return {
    $schema: JSON_SCHEMA_DIALECT,
    title: 'Agent spawn parameters',
    description: `What an agent is started with. Beyond this schema Stint's parser checks: ${EXECUTION_LIMITS_PARSER_RULES.join('; ')}.`,
    type: 'object',
    properties: {
      subagent_type: { type: 'string', description: 'The role, e.g. developer.' },
      model: { type: 'string' },
      description: { type: 'string', description: 'What the agent does, in a few words.' },
      prompt: { type: 'string' },
      allowed_tools: { type: 'array', items: { type: 'string' } },
      run_in_background: { type: 'boolean' },
      execution_limits: { $ref: '#/$defs/execution_limits' },
      timeoutMs: { ...TIMEOUT, description: 'The longest time from start to end, in milliseconds.' },
      maxRuntimeMs: { ...TIMEOUT, description: 'An alias of timeoutMs.' },
      ...others,
    },
    additionalProperties: false,
    $defs: { execution_limits: executionLimitsSchema() },
  }
}

function executionLimitsSchema(): JsonSchema {
  const limits = namedLimitsOf('execution_limits').map((limit) => [
    limit.name,
    { anyOf: [...amountSchemas(limit), ...REMOVAL_SCHEMAS], ...defaultOf(limit.name) },
  ])
  const shared = SHARED_BUDGET_NAMES.map((name) => [name, { anyOf: amountSchemas(sharedBudget(name)) }])
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries([...limits, ...shared]),
      timeout_action: { enum: [...PUBLISHED_ACTION_WORDS], ...defaultOf('timeout_action') },
    },
    additionalProperties: false,
  }
}

function defaultOf(name: string): JsonSchema {
  return Object.hasOwn(EXECUTION_LIMIT_DEFAULTS, name)
    ? { default: EXECUTION_LIMIT_DEFAULTS[name as keyof typeof EXECUTION_LIMIT_DEFAULTS] }
    : {}
}
