/** A JSON Schema, as plain data. */
type JsonSchema = Readonly<Record<string, unknown>>

const FIGURE: JsonSchema = {
  description: 'USD per million tokens.',
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\s*\\$?\\s*\\d{1,6}(?:\\.\\d{1,12})?\\s*$' },
  ],
}

/** The prices of a model by kind of token. */
export const FIGURES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'reasoning'] as const
const FIGURE_SCHEMAS: JsonSchema = Object.fromEntries(FIGURES.map((name) => [name, FIGURE]))

const TOKENS: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1, maximum: 1_000_000_000 }] }
const FEE: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'number', minimum: 0, maximum: 100 }] }
const DAY: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }] }
const TEXT: JsonSchema = { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 500 }] }

const TIER_SCHEMAS: JsonSchema = { above: { type: 'integer', minimum: 1 }, ...FIGURE_SCHEMAS }
const ENTRY_SCHEMAS: JsonSchema = {
  ...FIGURE_SCHEMAS,
  per: { description: 'How many tokens the prices are for.', enum: ['1M', '1K'] },
  tiers: {
    description: 'Prices of requests with a longer prompt.',
    type: 'array',
    items: { type: 'object', properties: TIER_SCHEMAS, required: ['above'], additionalProperties: false },
  },
  maxOutputTokens: TOKENS,
  contextWindow: TOKENS,
  from: { description: 'The first day (UTC) on which it applies.', ...DAY },
  provider: TEXT,
  cacheWrites: { enum: ['marked', 'automatic'] },
  webSearch: FEE,
  fileSearch: FEE,
  request: FEE,
  asOf: DAY,
  note: TEXT,
}
const ENTRY: JsonSchema = {
  type: 'object',
  properties: ENTRY_SCHEMAS,
  required: ['input', 'output'],
  additionalProperties: false,
}

/** The fields of a written price, and of one of its tiers. */
export const ENTRY_KEYS: readonly string[] = Object.keys(ENTRY_SCHEMAS)
export const TIER_KEYS: readonly string[] = Object.keys(TIER_SCHEMAS)

/** The JSON schema of written prices by model. The form of a figure is checked only by the parser. */
export const PRICES_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: 10_000,
  additionalProperties: { anyOf: [ENTRY, { type: 'array', minItems: 1, maxItems: 50, items: ENTRY }] },
}
