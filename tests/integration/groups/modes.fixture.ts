import type { RunnerOptions } from '../../../src/runner/index.ts'
import type { ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { createStage, type RunnerStage } from '../runner/runner.fixture.ts'
import { foundAgents } from './found-agents.ts'

export { foundAgents, modelThat } from './found-agents.ts'
export { agentFrom }

/** A runner with agents `a`, `b`, … whose models are called like them. */
export function createGroupStage(
  models: Readonly<Record<string, ScriptedLanguageModel>>,
  files: Readonly<Record<string, string>> = {},
  { limits = {}, ...options }: Partial<RunnerOptions> & { readonly limits?: Readonly<Record<string, unknown>> } = {},
): RunnerStage {
  const agents = Object.keys(models).map((name) => agentFrom({ name, model: name }, limits))
  return createStage(models, files, { findAgents: foundAgents(agents), ...options })
}
