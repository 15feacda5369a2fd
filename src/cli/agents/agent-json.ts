import type { Agent } from '../../agents/index.ts'
import {
  type ExplanationRow,
  explainLimits,
  type LayerInput,
  presetLayer,
  resolveLimits,
  roleLayer,
} from '../../policy/index.ts'

/** An agent as `--json` shows it in a list. */
export function agentSummary({ name, description, source, format, file, model, tools, preset }: Agent): object {
  return { name, description, source, format, file, model, tools, preset }
}

/** All of an agent, with the limits that a run of it would have from here. */
export function agentJson(agent: Agent, limits: readonly ExplanationRow[]): object {
  return { ...agent, limits }
}

/** The limits of a run of this agent: the config's and its own, over those of its role. */
export function limitsOfAgent(agent: Agent, config: readonly LayerInput[]): readonly ExplanationRow[] {
  const role = agent.preset === null ? roleLayer('') : presetLayer(agent.preset)
  return explainLimits(resolveLimits([role, ...config, ...agent.limits.layers]))
}
