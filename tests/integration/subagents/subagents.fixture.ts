import type { Agent } from '../../../src/agents/index.ts'
import type { RunnerOptions } from '../../../src/runner/index.ts'
import type { ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { foundAgents, modelThat } from '../groups/found-agents.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { createStage, type RunnerStage } from '../runner/runner.fixture.ts'

export { modelThat }

const DELEGATING = ['subagent', 'handoff', 'submit']

/** A call of a tool. */
export const call = (name: string, input: unknown, id?: string) => ({
  toolCalls: [{ name, arguments: input, ...(id === undefined ? {} : { id }) }],
})

/** A model that makes these turns one after the other, whatever it is told; then it repeats its last words. */
export function turns(...made: readonly Parameters<typeof modelThat>[0][]): ScriptedLanguageModel {
  let turn = 0
  return modelThat((asked, request) => made[Math.min(turn++, made.length - 1)]!(asked, request))
}

/** A boss that may delegate, and agents `a`, `b`, … whose models are called like them. */
export function createTeam(
  models: Readonly<Record<string, ScriptedLanguageModel>>,
  {
    boss = {},
    limits = {},
    agents = {},
    ...options
  }: Partial<RunnerOptions> & {
    readonly boss?: Partial<Agent>
    readonly limits?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly agents?: Readonly<Record<string, Partial<Agent>>>
  } = {},
): RunnerStage & { readonly boss: Agent; readonly findAgents: RunnerOptions['findAgents'] } {
  const team = Object.keys(models).map((name) => {
    const own = name === 'boss' ? { tools: DELEGATING, ...boss } : { tools: [] as readonly string[] }
    return agentFrom({ name, model: name, ...own, ...agents[name] }, limits[name] ?? {})
  })
  const findAgents = foundAgents(team)
  const stage = createStage(models, {}, { findAgents, ...options })
  return { ...stage, findAgents, boss: team.find(({ name }) => name === 'boss')! }
}
