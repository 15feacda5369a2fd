import type { AgentFields, FieldName } from '../fields/agent-fields.ts'
import { KEPT_FIELDS } from '../fields/agent-fields.ts'
import type { AgentDraft } from '../read/agent-draft.ts'
import type { AgentClaims } from './agent-claims.ts'
import { restrainAcceptance } from './restrain-acceptance.ts'
import { presetThatTightens, restrainLimits } from './restrain-limits.ts'
import { EVERY_SAFE_TOOL, isSafeTool, meansEveryTool, TRUSTED_TOOLS, toolName } from './tool-names.ts'
import { untrustedModels } from './untrusted-models.ts'

/** Fields that an agent's file may set without trust. All others need it. */
const FREE_FIELDS: readonly FieldName[] = [
  'name',
  'description',
  'model',
  'fallbackModels',
  'thinking',
  'disallowedTools',
  'defaultContext',
  'output',
  'outputMode',
  'defaultReads',
  'defaultProgress',
  'completionGuard',
  'systemPromptMode',
  'inheritProjectContext',
  // These have no effect.
  ...KEPT_FIELDS,
]

/** A project's agent, without what its file is not trusted with. */
export function restrainDraft(draft: AgentDraft, claims: AgentClaims): AgentDraft {
  const { tools, mcpServers, preset, repeatGuard, acceptance, ...others } = draft.fields
  const written = Object.entries(others) as [FieldName, unknown][]
  const allowed = written.filter(
    ([name, value]) =>
      FREE_FIELDS.includes(name) || claims.allows({ steps: [name], value, allows: `sets ${name} of ${draft.name}` }),
  )
  const isRoleAccepted =
    typeof preset !== 'string' ||
    claims.accepts({ steps: ['preset'], value: preset, allows: `gives ${draft.name} the limits of ${preset}` })
  const fields: AgentFields = {
    ...(Object.fromEntries(allowed) as AgentFields),
    ...toolsOf(draft, claims),
    ...serversOf(draft, claims),
    ...(preset === undefined ? {} : { preset: isRoleAccepted ? preset : null }),
    ...(acceptance ? { acceptance: restrainAcceptance(acceptance, claims, 'acceptance', draft.name) } : {}),
    ...(repeatGuard === undefined ? {} : { repeatGuard: repeatGuard !== false || !isGuardLifted(draft, claims) }),
  }
  const limits = restrainLimits(draft.limits, claims)
  return {
    ...draft,
    fields,
    limits: isRoleAccepted ? limits : [presetThatTightens(preset), ...limits],
    untrustedModels: untrustedModels(fields, claims),
  }
}

function toolsOf({ name, fields }: AgentDraft, claims: AgentClaims): Pick<AgentFields, 'tools'> {
  const { tools } = fields
  const allows = (tool: string): boolean =>
    claims.allows({ steps: ['tools', toolName(tool)], value: true, allows: `lets ${name} use ${tool}` })
  if (meansEveryTool(tools)) {
    const trusted = TRUSTED_TOOLS.filter(allows)
    return trusted.length === TRUSTED_TOOLS.length ? pick(tools) : { tools: [...EVERY_SAFE_TOOL, ...trusted] }
  }
  return { tools: tools!.filter((tool) => isSafeTool(tool) || allows(tool)) }
}

function pick(tools: AgentFields['tools']): Pick<AgentFields, 'tools'> {
  return tools === undefined ? {} : { tools }
}

function serversOf({ name, fields }: AgentDraft, claims: AgentClaims): Pick<AgentFields, 'mcpServers'> {
  const { mcpServers } = fields
  if (mcpServers === undefined || mcpServers === null) return {}
  return {
    mcpServers: mcpServers.filter((server) =>
      claims.allows({
        steps: ['mcpServers', server],
        value: true,
        allows: `lets ${name} use your MCP server ${server}`,
      }),
    ),
  }
}

function isGuardLifted({ name }: AgentDraft, claims: AgentClaims): boolean {
  return claims.allows({ steps: ['repeatGuard'], value: false, allows: `lets ${name} repeat a call forever` })
}
