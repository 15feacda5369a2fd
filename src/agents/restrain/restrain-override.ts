import { isOneOf } from '../../core/checks/is-one-of.ts'
import type { AgentFields, FieldName } from '../fields/agent-fields.ts'
import type { ReadOverride } from '../override.ts'
import type { AgentClaims } from './agent-claims.ts'
import { restrainAcceptance } from './restrain-acceptance.ts'
import { presetThatTightens, restrainLimits } from './restrain-limits.ts'
import { isSafeTool, meansEveryTool, TRUSTED_TOOLS, toolName } from './tool-names.ts'
import { untrustedModels } from './untrusted-models.ts'

/** Fields that a project's config may override without trust. All others need it. */
const FREE_FIELDS: readonly FieldName[] = ['model', 'fallbackModels']

/** Fields that an untrusted project may turn on, but not off. */
const GUARDS: readonly FieldName[] = ['repeatGuard', 'completionGuard']

/** A project's override, without what its config is not trusted with. `base`: the fields that it changes. */
export function restrainOverride(
  override: ReadOverride,
  base: AgentFields,
  name: string,
  claims: AgentClaims,
): ReadOverride {
  const { tools, disallowedTools, preset, acceptance, ...others } = override.fields
  const written = Object.entries(others) as [FieldName, unknown][]
  const allowed = written.filter(([field, value]) => {
    if (FREE_FIELDS.includes(field) || (GUARDS.includes(field) && value === true)) return true
    return claims.allows({ steps: [field], value, allows: `sets ${field} of ${name}` })
  })
  const isRoleAccepted =
    typeof preset !== 'string' ||
    claims.accepts({ steps: ['preset'], value: preset, allows: `gives ${name} the limits of ${preset}` })
  // `false` removes the preset, and with it its limits.
  const isRoleKept =
    preset === null && !claims.allows({ steps: ['preset'], value: null, allows: `removes the preset of ${name}` })
  const fields: AgentFields = {
    ...(Object.fromEntries(allowed) as AgentFields),
    ...(tools === undefined ? {} : toolsOf(tools, base, name, claims)),
    ...contractOf(acceptance, name, claims),
    ...(disallowedTools === undefined ? {} : disallowedOf(disallowedTools, base, name, claims)),
    ...(preset === undefined || isRoleKept || !isRoleAccepted ? {} : { preset }),
  }
  const { prompt } = override
  const isPromptAllowed =
    prompt === null ||
    claims.allows({ steps: ['systemPrompt'], value: prompt, allows: `changes the prompt of ${name}` })
  const limits = restrainLimits(override.limits, claims)
  return {
    ...override,
    fields,
    prompt: isPromptAllowed ? prompt : null,
    limits: isRoleAccepted ? limits : [presetThatTightens(preset), ...limits],
    untrustedModels: untrustedModels(fields, claims),
  }
}

/** It replaces the agent's own contract, so it needs trust as a whole; its commands need trust separately. */
function contractOf(
  acceptance: AgentFields['acceptance'],
  name: string,
  claims: AgentClaims,
): Pick<AgentFields, 'acceptance'> {
  if (acceptance === undefined) return {}
  const allows = `replaces the contract of ${name}`
  if (!claims.allows({ steps: ['acceptance'], value: acceptance, allows })) return {}
  return { acceptance: acceptance === null ? null : restrainAcceptance(acceptance, claims, 'acceptance', name) }
}

/** The tools that the agent has anyway, and those that the config is trusted with. */
function toolsOf(
  tools: readonly string[] | null,
  base: AgentFields,
  name: string,
  claims: AgentClaims,
): Pick<AgentFields, 'tools'> {
  if (meansEveryTool(tools)) {
    const isAllowed = claims.allows({ steps: ['tools', '*'], value: true, allows: `gives ${name} every tool` })
    return isAllowed ? { tools } : {}
  }
  const has = (tool: string): boolean => {
    const word = toolName(tool)
    if (meansEveryTool(base.tools)) return isSafeTool(word) || isOneOf(word, TRUSTED_TOOLS)
    return base.tools!.some((each) => toolName(each) === word)
  }
  return {
    tools: tools!.filter(
      (tool) =>
        has(tool) ||
        claims.allows({ steps: ['tools', toolName(tool)], value: true, allows: `lets ${name} use ${tool}` }),
    ),
  }
}

/** Disallowed tools stay disallowed, unless the config is trusted with removing them from the list. */
function disallowedOf(
  written: readonly string[] | null,
  base: AgentFields,
  name: string,
  claims: AgentClaims,
): Pick<AgentFields, 'disallowedTools'> {
  const listed = written ?? []
  const lifted = (base.disallowedTools ?? []).filter((tool) => !listed.includes(tool))
  const kept = lifted.filter(
    (tool) =>
      !claims.allows({
        steps: ['disallowedTools', toolName(tool)],
        value: true,
        allows: `lets ${name} use ${tool} again`,
      }),
  )
  return { disallowedTools: [...listed, ...kept] }
}
