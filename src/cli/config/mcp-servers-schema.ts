import type { JsonSchema } from '../../policy/index.ts'
import {
  HEADER_PATTERN,
  HEADER_TEXT_PATTERN,
  LONGEST_COMMAND,
  LONGEST_TEXT,
  MOST_PARTS,
  MOST_SERVERS,
  PROGRAM_TEXT_PATTERN,
  PROGRAM_VARIABLE_PATTERN,
  SERVER_PATTERN,
  SERVER_TYPES,
  SERVER_URL_PATTERN,
} from './mcp-server-rules.ts'
import { VARIABLE_PATTERN } from './read-upstreams.ts'

const text = (pattern: string): JsonSchema => ({ type: 'string', maxLength: LONGEST_TEXT, pattern })

function texts(names: string, pattern: string): JsonSchema {
  const reference: JsonSchema = {
    type: 'object',
    properties: { env: { type: 'string', pattern: VARIABLE_PATTERN }, prefix: text(pattern) },
    required: ['env'],
    additionalProperties: false,
  }
  return {
    description: 'Each a text, or { env: VARIABLE }: what that environment variable has, after an optional prefix.',
    type: 'object',
    maxProperties: MOST_PARTS,
    propertyNames: { type: 'string', pattern: names },
    additionalProperties: { anyOf: [text(pattern), reference] },
  }
}

const PROGRAM: JsonSchema = {
  type: 'object',
  properties: {
    command: {
      description: 'A program on the PATH, or the path of one, which starts at the folder of this file.',
      type: 'string',
      minLength: 1,
      maxLength: LONGEST_COMMAND,
      pattern: PROGRAM_TEXT_PATTERN,
    },
    args: { type: 'array', maxItems: MOST_PARTS, items: text(PROGRAM_TEXT_PATTERN) },
    env: texts(PROGRAM_VARIABLE_PATTERN, PROGRAM_TEXT_PATTERN),
  },
  required: ['command'],
  additionalProperties: false,
}

const ADDRESS: JsonSchema = {
  type: 'object',
  properties: {
    url: { type: 'string', pattern: SERVER_URL_PATTERN },
    headers: texts(HEADER_PATTERN, HEADER_TEXT_PATTERN),
    type: { enum: [...SERVER_TYPES] },
  },
  required: ['url'],
  additionalProperties: false,
}

/** The schema of `mcpServers`. */
export const MCP_SERVERS_SCHEMA: JsonSchema = {
  description: 'MCP servers whose tools agents can have, by name: programs that are started, or addresses.',
  type: 'object',
  maxProperties: MOST_SERVERS,
  propertyNames: { type: 'string', pattern: SERVER_PATTERN },
  additionalProperties: { anyOf: [PROGRAM, ADDRESS] },
}
