import { type AgentFormat, type AgentLimits, findPreset } from '../policy/index.ts'
import type { Agent, AgentLimitLayers } from './agent.ts'
import type { AgentFields } from './fields/agent-fields.ts'
import type { ReadOverride } from './override.ts'
import type { AgentDraft } from './read/agent-draft.ts'

// pi's agents start with nothing but their prompt; Claude Code's know the project.
const STARTS_BLANK: Readonly<Record<AgentFormat, boolean>> = { stint: false, pi: true, 'claude-code': false }

/** Applies overrides, weakest first, to an agent's file. */
export function agentFromDraft(
  draft: AgentDraft,
  overrides: readonly ReadOverride[],
  leftOut: readonly string[] = [],
): Agent {
  const { origin, name, unknownFields } = draft
  const fields: AgentFields = Object.assign({}, draft.fields, ...overrides.map((override) => override.fields))
  const isBlank = STARTS_BLANK[origin.format]
  return deepFreeze({
    name,
    description: fields.description ?? '',
    prompt: overrides.findLast(({ prompt }) => prompt !== null)?.prompt ?? draft.prompt,
    source: origin.source,
    format: origin.format,
    file: origin.source === 'built-in' ? null : origin.file,
    // Claude Code's name for the caller's model.
    model: fields.model === 'inherit' ? null : (fields.model ?? null),
    fallbackModels: fields.fallbackModels ?? [],
    thinking: fields.thinking ?? null,
    tools: toolsOf(fields.tools),
    disallowedTools: fields.disallowedTools ?? [],
    mcpServers: fields.mcpServers ?? [],
    defaultContext: fields.defaultContext ?? null,
    output: fields.output ?? null,
    outputMode: fields.outputMode ?? 'inline',
    defaultReads: fields.defaultReads ?? [],
    defaultProgress: fields.defaultProgress ?? false,
    completionGuard: fields.completionGuard ?? true,
    repeatGuard: fields.repeatGuard ?? true,
    attempts: fields.attempts ?? 1,
    handoffs: fields.handoffs ?? null,
    acceptance: fields.acceptance ?? null,
    systemPromptMode: fields.systemPromptMode ?? (isBlank ? 'replace' : 'append'),
    inheritProjectContext: fields.inheritProjectContext ?? !isBlank,
    limits: layersOf([...draft.limits, ...overrides.flatMap(({ limits }) => limits)]),
    preset: presetOf(name, fields.preset),
    unknownFields,
    untrustedModels: untrustedModelsOf([draft, ...overrides]),
    leftOut,
  })
}

function toolsOf(tools: readonly string[] | null | undefined): readonly string[] | null {
  return tools === undefined || tools === null || tools.includes('*') ? null : tools
}

function presetOf(name: string, written: string | null | undefined): string | null {
  if (written !== undefined) return written
  return findPreset(name) === null ? null : name
}

function layersOf(all: readonly AgentLimits[]): AgentLimitLayers {
  return {
    layers: all.flatMap(({ defaults, limits }) => (defaults === null ? [limits] : [defaults, limits])),
    team: all.flatMap(({ team }) => team ?? []),
    user: all.flatMap(({ user }) => user ?? []),
    askAbove: all.flatMap(({ askAbove }) => askAbove),
  }
}

/** The last file that names a model decides: a model that a trusted file names too is trusted. */
function untrustedModelsOf(
  sources: readonly Pick<ReadOverride, 'fields' | 'untrustedModels'>[],
): Readonly<Record<string, string>> {
  const places = new Map<string, string>()
  for (const { fields, untrustedModels = {} } of sources) {
    for (const name of [fields.model ?? '', ...(fields.fallbackModels ?? [])]) places.delete(name)
    for (const [name, place] of Object.entries(untrustedModels)) places.set(name, place)
  }
  return Object.fromEntries(places)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFreeze(each)
  return Object.freeze(value)
}
