import type { JsonSchema } from '../../policy/index.ts'

const FIGURE: JsonSchema = {
  description: 'USD per million tokens.',
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\s*\\$?\\s*\\d{1,6}(?:\\.\\d{1,12})?\\s*$' },
  ],
}

const FIGURES: Readonly<Record<string, JsonSchema>> = {
  input: FIGURE,
  output: FIGURE,
  cacheRead: FIGURE,
  cacheWrite: FIGURE,
  cacheWrite1h: FIGURE,
  reasoning: FIGURE,
}

const TOKENS: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1, maximum: 1_000_000_000 }] }
const FEE: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'number', minimum: 0, maximum: 100 }] }
const DAY: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }] }
const TEXT: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 500 }] }

const ENTRY: JsonSchema = {
  type: 'object',
  properties: {
    ...FIGURES,
    per: { description: 'How many tokens the prices are for.', enum: ['1M', '1K'] },
    tiers: {
      description: 'Prices of requests with a longer prompt.',
      type: 'array',
      items: {
        type: 'object',
        properties: { above: { type: 'integer', minimum: 1 }, ...FIGURES },
        required: ['above'],
        additionalProperties: false,
      },
    },
    maxOutputTokens: TOKENS,
    contextWindow: TOKENS,
    from: { description: 'The first day (UTC) on which it holds.', ...DAY },
    provider: TEXT,
    cacheWrites: { enum: ['marked', 'automatic'] },
    webSearch: FEE,
    fileSearch: FEE,
    request: FEE,
    asOf: DAY,
    note: TEXT,
  },
  required: ['input', 'output'],
  additionalProperties: false,
}

/** The shape of `prices`. What a figure may be, the parser knows better. */
export const PRICES_SCHEMA: JsonSchema = {
  description: 'Your own prices by model, which win over the table that comes with Stint.',
  type: 'object',
  maxProperties: 10_000,
  additionalProperties: { anyOf: [ENTRY, { type: 'array', minItems: 1, maxItems: 50, items: ENTRY }] },
}
