import type { JsonSchema } from '../../policy/index.ts'
import { AGENT_NAME_SCHEMA } from '../agent-name.ts'
import { EVIDENCE_KINDS, SEVERITIES } from './acceptance.ts'

export const MOST_CRITERIA = 50
export const MOST_COMMANDS = 20
export const MOST_STOP_RULES = 50
export const LONGEST_TEXT = 2_000
export const LONGEST_COMMAND = 10_000
export const LONGEST_TIMEOUT_MS = 24 * 60 * 60 * 1000
export const DEFAULT_TIMEOUT_MS = 120_000
export const MOST_TURNS = 10
export const DEFAULT_TURNS = 3
/** In the report and in messages: one word. */
export const ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
/** Not blank, without NUL. */
const TEXT_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$'

const ID: JsonSchema = { type: 'string', pattern: ID_PATTERN }
const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: LONGEST_TEXT, pattern: TEXT_PATTERN }
const EVIDENCE: JsonSchema = { enum: [...EVIDENCE_KINDS] }

const CRITERION: JsonSchema = {
  type: 'object',
  properties: {
    id: ID,
    must: TEXT,
    evidence: { type: 'array', minItems: 1, maxItems: EVIDENCE_KINDS.length, items: EVIDENCE },
    severity: { enum: [...SEVERITIES] },
  },
  required: ['id', 'must'],
  additionalProperties: false,
}

const COMMAND: JsonSchema = {
  type: 'object',
  properties: {
    id: ID,
    command: { type: 'string', minLength: 1, maxLength: LONGEST_COMMAND, pattern: TEXT_PATTERN },
    timeoutMs: { type: 'integer', minimum: 1, maximum: LONGEST_TIMEOUT_MS },
    allowFailure: { type: 'boolean' },
  },
  required: ['id', 'command'],
  additionalProperties: false,
}

const REVIEW: JsonSchema = {
  type: 'object',
  properties: { agent: AGENT_NAME_SCHEMA, focus: TEXT, required: { type: 'boolean' } },
  additionalProperties: false,
}

/** A contract, for editors. Only the reader checks that ids are unique. */
export const ACCEPTANCE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    criteria: { type: 'array', minItems: 1, maxItems: MOST_CRITERIA, items: { anyOf: [TEXT, CRITERION] } },
    evidence: { type: 'array', minItems: 1, maxItems: EVIDENCE_KINDS.length, items: EVIDENCE },
    verify: { type: 'array', minItems: 1, maxItems: MOST_COMMANDS, items: COMMAND },
    review: { anyOf: [{ const: false }, REVIEW] },
    stopRules: { type: 'array', minItems: 1, maxItems: MOST_STOP_RULES, items: TEXT },
    maxFinalizationTurns: { type: 'integer', minimum: 1, maximum: MOST_TURNS },
  },
  anyOf: [
    ...['criteria', 'evidence', 'verify', 'stopRules'].map((name) => ({
      properties: { [name]: {} },
      required: [name],
    })),
    { properties: { review: { type: 'object' } }, required: ['review'] },
  ],
  additionalProperties: false,
}
