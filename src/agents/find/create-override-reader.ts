import { suggestName } from '../../core/index.ts'
import type { Agent, AgentPlaces } from '../agent.ts'
import { agentFromDraft } from '../agent-from-draft.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import { type ReadOverride, readOverride } from '../override.ts'
import type { AgentDraft } from '../read/agent-draft.ts'

/** Applies what configs say about agents. */
export interface OverrideReader {
  /** The agent with its overrides, or what is wrong with them. */
  apply(draft: AgentDraft): Agent | readonly AgentProblem[]
  /** Takes out what an override disables, and says where. */
  takeDisabled(agents: Map<string, Agent>): ReadonlyMap<string, string>
  /** Overrides of agents that there are not: somebody mistyped a name, and a limit would be lost. */
  withoutAgent(names: readonly string[]): readonly AgentProblem[]
}

export function createOverrideReader({ overrides = [] }: AgentPlaces, problems: AgentProblem[]): OverrideReader {
  const told = new Set<string>()
  const read = (name: string, source: Agent['source']): readonly ReadOverride[] | readonly AgentProblem[] => {
    const wrong: AgentProblem[] = []
    const said = overrides.flatMap(({ file, layer, agents }) => {
      const override = agents.get(name)
      // What is said about one agent is stronger than its file, whoever wrote that.
      const rank = source === 'project' ? 'project' : layer
      const reading = override === undefined ? null : readOverride(file, override, rank, wrong)
      return reading === null ? [] : [reading]
    })
    return wrong.length > 0 ? wrong : said
  }
  return {
    apply(draft) {
      const said = read(draft.name, draft.origin.source)
      if (said.every((each): each is ReadOverride => 'limits' in each)) return agentFromDraft(draft, said)
      const wrong = said as readonly AgentProblem[]
      if (!told.has(draft.name)) problems.push(...wrong)
      told.add(draft.name)
      return wrong
    },
    takeDisabled(agents) {
      const disabled = new Map<string, string>()
      for (const name of [...agents.keys()]) {
        const last = overrides.findLast((each) => each.agents.get(name)?.fields.disabled !== undefined)
        const override = last?.agents.get(name)
        if (override?.fields.disabled !== true) continue
        agents.delete(name)
        const line = override.lineOf(`${override.field}.disabled`)
        disabled.set(name, `${override.field}.disabled in ${last!.file}${line === undefined ? '' : `:${line}`}`)
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
