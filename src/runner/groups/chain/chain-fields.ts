import { ACCEPTANCE_RULE } from '../../../agents/acceptance/acceptance-rule.ts'
import { FIELD_RULES } from '../../../agents/fields/agent-fields.ts'
import { type FieldRule, SWITCH_RULE, textRule, wholeRule, wordRule } from '../../../agents/fields/field-rule.ts'
import { isPlainObject } from '../../../core/index.ts'
import type { JsonSchema } from '../../../policy/index.ts'

/** The most agents that one step starts. */
export const MOST_CHILDREN = 1_000
export const MOST_STEPS = 250
/** The most agents that all steps of a chain start together. */
export const MOST_AGENTS = 5_000
/** The default maximum number of items of a fan-out. */
export const DEFAULT_MAX_ITEMS = 50

const MOST_AT_ONCE = 256
const LONGEST_TEMPLATE = 256 * 1024
const LONGEST_SCHEMA = 64 * 1024
const LONGEST_TIMEOUT_MS = 366 * 24 * 60 * 60 * 1000
const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$'
// Excludes names with a special meaning in JavaScript: outputs end up in objects of other programs.
const OUTPUT_NAME = '^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_][A-Za-z0-9_]{0,63}$'
const POINTER = '^(?:/(?:[^~/\\u0000]|~[01])*)*$'

const OUTPUT_NAME_RULE = {
  ...textRule('name of an output', 'findings: letters, digits and "_", not beginning with a digit', OUTPUT_NAME, 64),
  isCleared: false,
}
const LINE_RULE = { ...textRule('text on one line', 'Look at the tests', ONE_LINE, 500), isCleared: false }

/** The fields of one agent's part, except for its limits. */
export const CHILD_RULES = {
  agent: FIELD_RULES.name,
  task: { ...textRule('task', 'Review this: {previous}', '^[^\\u0000]*$', LONGEST_TEMPLATE), isCleared: false },
  as: OUTPUT_NAME_RULE,
  phase: LINE_RULE,
  label: LINE_RULE,
  model: FIELD_RULES.model,
  tools: FIELD_RULES.tools,
  reads: FIELD_RULES.defaultReads,
  output: FIELD_RULES.output,
  outputMode: FIELD_RULES.outputMode,
  progress: SWITCH_RULE,
  context: { ...FIELD_RULES.defaultContext, isCleared: false },
  count: wholeRule('number of agents', 1, MOST_CHILDREN, '3'),
  outputSchema: schemaRule(),
  acceptance: ACCEPTANCE_RULE,
} as const satisfies Record<string, FieldRule<unknown>>

export const GROUP_RULES = {
  phase: LINE_RULE,
  label: LINE_RULE,
  concurrency: wholeRule('number of agents at once', 1, MOST_AT_ONCE, '4'),
  failFast: SWITCH_RULE,
  worktree: SWITCH_RULE,
} as const satisfies Record<string, FieldRule<unknown>>

export const EXPAND_RULES = {
  item: OUTPUT_NAME_RULE,
  key: pointerRule('"/id" in each item'),
  maxItems: wholeRule('number of items', 0, MOST_CHILDREN, '20'),
  onEmpty: { ...wordRule('word for an empty list', ['skip', 'fail']), isCleared: false },
} as const satisfies Record<string, FieldRule<unknown>>

export const FROM_RULES = {
  output: OUTPUT_NAME_RULE,
  path: pointerRule('"/items", or "" for the output itself'),
} as const satisfies Record<string, FieldRule<unknown>>

export const COLLECT_RULES = {
  as: OUTPUT_NAME_RULE,
  outputSchema: schemaRule(),
} as const satisfies Record<string, FieldRule<unknown>>

export const CHAIN_RULES = {
  name: FIELD_RULES.name,
  description: FIELD_RULES.description,
  package: FIELD_RULES.package,
  context: CHILD_RULES.context,
  concurrency: GROUP_RULES.concurrency,
  timeoutMs: wholeRule('number of milliseconds', 1, LONGEST_TIMEOUT_MS, '600000'),
  maxRuntimeMs: wholeRule('number of milliseconds', 1, LONGEST_TIMEOUT_MS, '600000'),
} as const satisfies Record<string, FieldRule<unknown>>

function pointerRule(example: string): FieldRule<string> {
  const shape = new RegExp(POINTER, 'u')
  return {
    what: 'JSON Pointer',
    example,
    schema: { type: 'string', pattern: POINTER },
    isCleared: false,
    read: (value) => (typeof value === 'string' && value.length <= 1000 && shape.test(value) ? { value } : null),
  }
}

/** A schema is plain data: the content of a file, or an object with nothing that JSON does not have. */
function schemaRule(): FieldRule<JsonSchema> {
  return {
    what: 'JSON Schema',
    example: `an object such as { type: object, properties: { … } }, of at most ${LONGEST_SCHEMA} characters`,
    schema: { type: 'object' },
    isCleared: false,
    read: (value) => {
      const copy = isPlainObject(value) ? jsonCopy(value) : null
      return isPlainObject(copy) ? { value: copy } : null
    },
  }
}

function jsonCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value)
    return text.length <= LONGEST_SCHEMA ? JSON.parse(text) : null
  } catch {
    // It contains itself, or something that is not plain data.
    return null
  }
}
