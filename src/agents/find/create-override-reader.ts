import { suggestName } from '../../core/index.ts'
import { type Claim, claimFile, TRUST_EVERYTHING, TRUST_NOTHING, type Trust } from '../../trust/index.ts'
import type { Agent, AgentOverride, AgentOverrides, AgentPlaces } from '../agent.ts'
import { agentFromDraft } from '../agent-from-draft.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import type { AgentFields } from '../fields/agent-fields.ts'
import { type ReadOverride, readOverride } from '../override.ts'
import type { AgentDraft } from '../read/agent-draft.ts'
import { type AgentClaims, createAgentClaims } from '../restrain/agent-claims.ts'
import { restrainOverride } from '../restrain/restrain-override.ts'

/** Applies the overrides of the configs to agents. */
export interface OverrideReader {
  /** The agent with its overrides, or their problems. `leftOut`: claims of its file that are ignored. */
  apply(draft: AgentDraft, leftOut: readonly Claim[]): Agent | readonly AgentProblem[]
  /** Removes the agents that an override disables, and returns where. */
  takeDisabled(agents: Map<string, Agent>): ReadonlyMap<string, string>
  /** Problems for overrides of agents that don't exist: with a mistyped name, a limit would be lost. */
  withoutAgent(names: readonly string[]): readonly AgentProblem[]
  /** The claims in overrides that were ignored, over all agents. */
  readonly leftOut: readonly Claim[]
}

export function createOverrideReader(places: AgentPlaces, problems: AgentProblem[]): OverrideReader {
  const { overrides = [] } = places
  const reported = new Set<string>()
  const leftOut: Claim[] = []
  const claimsOf = (config: AgentOverrides, name: string, override: AgentOverride): AgentClaims =>
    createAgentClaims({
      file: claimFile(config.file),
      path: ['agents', name],
      trust: trustOf(config, places),
      shownFile: config.file,
      lineOf: override.lineOf,
    })

  /** The overrides of an agent, weakest first, without what their files are not trusted with. */
  const read = (
    { name, origin, fields }: AgentDraft,
    own: Claim[],
  ): readonly ReadOverride[] | readonly AgentProblem[] => {
    const wrong: AgentProblem[] = []
    const found: ReadOverride[] = []
    for (const config of overrides) {
      const override = config.agents.get(name)
      if (override === undefined) continue
      // An override is always stronger than the agent's file.
      const rank = origin.source === 'project' ? 'project' : config.layer
      const reading = readOverride(config.file, override, rank, wrong)
      if (reading === null) continue
      const base: AgentFields = Object.assign({}, fields, ...found.map((each) => each.fields))
      const claims = claimsOf(config, name, override)
      found.push(config.layer === 'user' ? reading : restrainOverride(reading, base, name, claims))
      own.push(...claims.leftOut)
    }
    return wrong.length > 0 ? wrong : found
  }

  /** The strongest override that disables the agent; `null` if a stronger one enables it. */
  const disabledBy = (name: string): { readonly config: AgentOverrides; readonly override: AgentOverride } | null => {
    for (const config of overrides.toReversed()) {
      const override = config.agents.get(name)
      const disabled = override?.fields.disabled
      if (override === undefined || disabled === undefined) continue
      if (disabled === true) return { config, override }
      const claims = claimsOf(config, name, override)
      const allows = `lets ${name} run, although you have disabled it`
      if (config.layer === 'user' || claims.accepts({ steps: ['disabled'], value: false, allows })) return null
    }
    return null
  }

  return {
    leftOut,
    apply(draft, ofFile) {
      const own: Claim[] = [...ofFile]
      const outcome = read(draft, own)
      if (outcome.every((each): each is ReadOverride => 'limits' in each)) {
        leftOut.push(...own.slice(ofFile.length))
        return agentFromDraft(
          draft,
          outcome,
          own.map(({ place }) => place),
        )
      }
      const wrong = outcome as readonly AgentProblem[]
      if (!reported.has(draft.name)) problems.push(...wrong)
      reported.add(draft.name)
      return wrong
    },
    takeDisabled(agents) {
      const disabled = new Map<string, string>()
      for (const name of [...agents.keys()]) {
        const by = disabledBy(name)
        if (by === null) continue
        agents.delete(name)
        const { field, lineOf } = by.override
        const line = lineOf(`${field}.disabled`)
        disabled.set(name, `${field}.disabled in ${by.config.file}${line === undefined ? '' : `:${line}`}`)
      }
      return disabled
    },
    withoutAgent(names) {
      return overrides.flatMap(({ file, layer, agents }) =>
        [...agents].flatMap(([name, override]): readonly AgentProblem[] => {
          if (names.includes(name)) return []
          const nearest = suggestName(name, names)
          // A user's config may override agents that only some projects have.
          if (nearest === null && layer === 'user') return []
          const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
          const message = `There is no agent called ${JSON.stringify(name)}, so this has no effect.${hint}`
          return [agentProblem(file, { line: override.lineOf(override.field), field: override.field }, message)]
        }),
      )
    },
  }
}

function trustOf({ layer, trust }: AgentOverrides, places: AgentPlaces): Trust {
  return layer === 'user' ? TRUST_EVERYTHING : (trust ?? places.trust ?? TRUST_NOTHING)
}
