import type { AgentFields, FieldName } from '../fields/agent-fields.ts'
import type { ReadOverride } from '../override.ts'
import type { AgentClaims } from './agent-claims.ts'
import { presetThatTightens, restrainLimits } from './restrain-limits.ts'
import { isSafeTool, meansEveryTool, TRUSTED_TOOLS, toolWord } from './tool-words.ts'
import { untrustedModels } from './untrusted-models.ts'

/** What a project's config may say about any agent without being trusted. A field that is not here may not. */
const FREE_FIELDS: readonly FieldName[] = ['model', 'fallbackModels']

/** Switches that a project may put on, and not off. */
const GUARDS: readonly FieldName[] = ['repeatGuard', 'completionGuard']

/** What a project's config says about an agent, without what it is not believed for. `base`: what it changes. */
export function restrainOverride(
  override: ReadOverride,
  base: AgentFields,
  name: string,
  claims: AgentClaims,
): ReadOverride {
  const { tools, disallowedTools, preset, ...others } = override.fields
  const written = Object.entries(others) as [FieldName, unknown][]
  const allowed = written.filter(([field, value]) => {
    if (FREE_FIELDS.includes(field) || (GUARDS.includes(field) && value === true)) return true
    return claims.allows({ steps: [field], value, allows: `sets ${field} of ${name}` })
  })
  const isRoleBelieved =
    typeof preset !== 'string' ||
    claims.believes({ steps: ['preset'], value: preset, allows: `gives ${name} the limits of ${preset}` })
  // `false` takes the role away, and with it its limits.
  const isRoleKept =
    preset === null && !claims.allows({ steps: ['preset'], value: null, allows: `takes the role of ${name} away` })
  const fields: AgentFields = {
    ...(Object.fromEntries(allowed) as AgentFields),
    ...(tools === undefined ? {} : toolsOf(tools, base, name, claims)),
    ...(disallowedTools === undefined ? {} : disallowedOf(disallowedTools, base, name, claims)),
    ...(preset === undefined || isRoleKept || !isRoleBelieved ? {} : { preset }),
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
    limits: isRoleBelieved ? limits : [presetThatTightens(preset), ...limits],
    untrustedModels: untrustedModels(fields, claims),
  }
}

/** Of the tools those that the agent has in any case, and those that the config is believed for. */
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
    const word = toolWord(tool)
    if (meansEveryTool(base.tools)) return isSafeTool(word) || (TRUSTED_TOOLS as readonly string[]).includes(word)
    return base.tools!.some((each) => toolWord(each) === word)
  }
  return {
    tools: tools!.filter(
      (tool) =>
        has(tool) ||
        claims.allows({ steps: ['tools', toolWord(tool)], value: true, allows: `lets ${name} use ${tool}` }),
    ),
  }
}

/** What is disallowed already stays so, unless the config is believed for taking it off the list. */
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
        steps: ['disallowedTools', toolWord(tool)],
        value: true,
        allows: `lets ${name} use ${tool} again`,
      }),
  )
  return { disallowedTools: [...listed, ...kept] }
}
