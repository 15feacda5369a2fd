import { type AgentFormat, type JsonSchema, PRESETS } from '../../policy/index.ts'
import { ACCEPTANCE_RULE } from '../acceptance/acceptance-rule.ts'
import { THINKING_LEVELS } from '../agent.ts'
import { AGENT_NAME_FORM, AGENT_NAME_SCHEMA, isAgentName } from '../agent-name.ts'
import { type FieldRule, listRule, SWITCH_RULE, textRule, wholeRule, wordRule } from './field-rule.ts'
import { HANDOFFS_RULE } from './handoffs-rule.ts'

const NAME_RULE: FieldRule<string> = {
  what: 'a name for an agent',
  example: AGENT_NAME_FORM,
  schema: AGENT_NAME_SCHEMA,
  isCleared: false,
  read: (value) => (isAgentName(value) ? { value } : null),
}

const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$'
const MODEL_RULE = textRule('a model', 'sonnet or anthropic/claude-sonnet-4-5', '^[^\\s\\u0000-\\u001f\\u007f]+$', 200)
const ITEM_RULE = textRule('an item', 'read', ONE_LINE, 500)
// Below the working folder: not absolute, without "..", not in a home folder.
const PATH_RULE = textRule(
  'the path of a file in the working folder',
  'notes/plan.md',
  '^(?![/\\\\~]|[A-Za-z]:)(?!(?:.*[/\\\\])?\\.\\.(?:[/\\\\]|$))[^\\u0000-\\u001f\\u007f]+$',
  1000,
)
const TEXTS_RULE = listRule('a list of texts', 'one, two or [one, two]', ITEM_RULE)
const TOOLS_RULE = listRule('a list of tools', 'read, grep, bash or [read, grep, bash]; [] for none', ITEM_RULE)
const LONGEST_DESCRIPTION = 10_000

/** Every field of an agent, except its limits, and its valid values. */
export const FIELD_RULES = {
  name: NAME_RULE,
  description: {
    ...textRule('a description', 'Looks for mistakes in a change.', '^[^\\u0000]*$', LONGEST_DESCRIPTION),
    isCleared: false,
  },
  preset: wordRule(
    'a preset',
    PRESETS.map(({ name }) => name),
  ),
  model: MODEL_RULE,
  fallbackModels: listRule('a list of models', 'haiku, openai/gpt-5-mini', MODEL_RULE),
  thinking: wordRule('a thinking level', THINKING_LEVELS),
  tools: TOOLS_RULE,
  disallowedTools: TOOLS_RULE,
  mcpServers: listRule('a list of MCP servers from the config', 'github, docs', ITEM_RULE),
  defaultContext: wordRule('a context', ['fresh', 'fork']),
  output: PATH_RULE,
  outputMode: wordRule('an output mode', ['inline', 'file-only']),
  defaultReads: listRule('a list of files in the working folder', 'plan.md, notes/context.md', PATH_RULE),
  defaultProgress: SWITCH_RULE,
  completionGuard: SWITCH_RULE,
  repeatGuard: SWITCH_RULE,
  attempts: wholeRule('a number of attempts', 1, 10, '2'),
  handoffs: HANDOFFS_RULE,
  acceptance: ACCEPTANCE_RULE,
  systemPromptMode: wordRule('a mode of the system prompt', ['append', 'replace']),
  inheritProjectContext: SWITCH_RULE,
  // Checked and kept; nothing here acts on them.
  package: NAME_RULE,
  skills: TEXTS_RULE,
  extensions: TEXTS_RULE,
  inheritSkills: SWITCH_RULE,
  interactive: SWITCH_RULE,
  permissionMode: textRule('a permission mode', 'default or plan', ONE_LINE, 100),
  color: textRule('a color', 'blue', ONE_LINE, 100),
  background: SWITCH_RULE,
} as const satisfies Record<string, FieldRule<unknown>>

export type FieldName = keyof typeof FIELD_RULES

type ValueOf<Rule> = Rule extends FieldRule<infer Value> ? Value : never

/** The fields in a file or an override. `null`: cleared. */
export type AgentFields = { -readonly [Name in FieldName]?: ValueOf<(typeof FIELD_RULES)[Name]> | null }

const STINT_FIELDS = [
  'name',
  'description',
  'preset',
  'model',
  'fallbackModels',
  'thinking',
  'tools',
  'disallowedTools',
  'mcpServers',
  'defaultContext',
  'output',
  'outputMode',
  'defaultReads',
  'defaultProgress',
  'completionGuard',
  'repeatGuard',
  'attempts',
  'handoffs',
  'acceptance',
  'systemPromptMode',
  'inheritProjectContext',
] as const satisfies readonly FieldName[]

/** The fields of each kind of file. `preset` and the limits are ours, and valid in all of them. */
export const FIELDS_BY_FORMAT: Readonly<Record<AgentFormat, readonly FieldName[]>> = {
  stint: STINT_FIELDS,
  pi: [
    'name',
    'package',
    'description',
    'preset',
    'model',
    'fallbackModels',
    'thinking',
    'tools',
    'extensions',
    'skills',
    'systemPromptMode',
    'inheritProjectContext',
    'inheritSkills',
    'defaultContext',
    'output',
    'outputMode',
    'defaultReads',
    'defaultProgress',
    'interactive',
    'completionGuard',
    'acceptance',
    'repeatGuard',
  ],
  'claude-code': [
    'name',
    'description',
    'preset',
    'model',
    'tools',
    'disallowedTools',
    'mcpServers',
    'repeatGuard',
    'permissionMode',
    'skills',
    'color',
    'background',
  ],
}

/** Fields that are checked and kept, but have no effect here. */
export const KEPT_FIELDS: readonly FieldName[] = [
  'package',
  'skills',
  'extensions',
  'inheritSkills',
  'interactive',
  'permissionMode',
  'color',
  'background',
]

/** The fields that a config may override, in addition to limits: those of our files, except the name. */
export const OVERRIDE_FIELDS: readonly FieldName[] = STINT_FIELDS.filter((name) => name !== 'name')

/** The schema of a field of an override: `false` clears it. */
export function overrideFieldSchema(name: FieldName): JsonSchema {
  const { schema, isCleared } = FIELD_RULES[name]
  return isCleared ? { anyOf: [{ const: false }, schema] } : schema
}
