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

/** Applies what configs say about agents. */
export interface OverrideReader {
  /** The agent with its overrides, or what is wrong with them. `leftOut`: what of its file is not used. */
  apply(draft: AgentDraft, leftOut: readonly Claim[]): Agent | readonly AgentProblem[]
  /** Takes out what an override disables, and says where. */
  takeDisabled(agents: Map<string, Agent>): ReadonlyMap<string, string>
  /** Overrides of agents that there are not: somebody mistyped a name, and a limit would be lost. */
  withoutAgent(names: readonly string[]): readonly AgentProblem[]
  /** What of them is not used, of all the agents that they were applied to. */
  readonly leftOut: readonly Claim[]
}

export function createOverrideReader(places: AgentPlaces, problems: AgentProblem[]): OverrideReader {
  const { overrides = [] } = places
  const told = new Set<string>()
  const leftOut: Claim[] = []
  const claimsOf = (config: AgentOverrides, name: string, override: AgentOverride): AgentClaims =>
    createAgentClaims({
      file: claimFile(config.file),
      path: ['agents', name],
      trust: trustOf(config, places),
      shownFile: config.file,
      lineOf: override.lineOf,
    })

  /** What the configs say about an agent, the weakest first, each without what it is not believed for. */
  const read = (
    { name, origin, fields }: AgentDraft,
    own: Claim[],
  ): readonly ReadOverride[] | readonly AgentProblem[] => {
    const wrong: AgentProblem[] = []
    const said: ReadOverride[] = []
    for (const config of overrides) {
      const override = config.agents.get(name)
      if (override === undefined) continue
      // What is said about one agent is stronger than its file, whoever wrote that.
      const rank = origin.source === 'project' ? 'project' : config.layer
      const reading = readOverride(config.file, override, rank, wrong)
      if (reading === null) continue
      const base: AgentFields = Object.assign({}, fields, ...said.map((each) => each.fields))
      const claims = claimsOf(config, name, override)
      said.push(config.layer === 'user' ? reading : restrainOverride(reading, base, name, claims))
      own.push(...claims.leftOut)
    }
    return wrong.length > 0 ? wrong : said
  }

  /** The last word about whether an agent is disabled, among those that count. */
  const disabledBy = (name: string): { readonly config: AgentOverrides; readonly override: AgentOverride } | null => {
    for (const config of overrides.toReversed()) {
      const override = config.agents.get(name)
      const disabled = override?.fields.disabled
      if (override === undefined || disabled === undefined) continue
      if (disabled === true) return { config, override }
      const claims = claimsOf(config, name, override)
      const allows = `lets ${name} run, where you have disabled it`
      if (config.layer === 'user' || claims.believes({ steps: ['disabled'], value: false, allows })) return null
    }
    return null
  }

  return {
    leftOut,
    apply(draft, ofFile) {
      const own: Claim[] = [...ofFile]
      const said = read(draft, own)
      if (said.every((each): each is ReadOverride => 'limits' in each)) {
        leftOut.push(...own.slice(ofFile.length))
        return agentFromDraft(
          draft,
          said,
          own.map(({ place }) => place),
        )
      }
      const wrong = said as readonly AgentProblem[]
      if (!told.has(draft.name)) problems.push(...wrong)
      told.add(draft.name)
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
          // A user's config speaks of agents that only some projects have.
          if (nearest === null && layer === 'user') return []
          const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
          const message = `There is no agent called ${JSON.stringify(name)}, so that this holds for nobody.${hint}`
          return [agentProblem(file, { line: override.lineOf(override.field), field: override.field }, message)]
        }),
      )
    },
  }
}

function trustOf({ layer, trust }: AgentOverrides, places: AgentPlaces): Trust {
  return layer === 'user' ? TRUST_EVERYTHING : (trust ?? places.trust ?? TRUST_NOTHING)
}
