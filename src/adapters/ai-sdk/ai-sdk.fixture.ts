import { jsonSchema, type ToolSet } from 'ai'
import { createScriptedLanguageModel } from '../../scripted/scripted-language-model.ts'
import type { AdapterUnderTest, ContractAgent } from '../../testing/adapter-contract/adapter-under-test.ts'
import { type AnyAgent, type GovernedResult, governed, resumeGoverned, runGoverned } from './index.ts'

const ANY_INPUT = jsonSchema<object>({ type: 'object', properties: { path: { type: 'string' } } })

/** How an agent loop is made of settings: by the AI SDK of whichever version. */
export type CreateAgent = (settings: object) => AnyAgent

/** This adapter, as the contract wants it. */
export function adapterUnderTest(createAgent: CreateAgent, version: 'v3' | 'v4'): AdapterUnderTest {
  const build = (agent: ContractAgent) => {
    const { scope, model, modelId, tools, instructions, repeatGuard, maxRetries } = agent
    const { maxOutputTokens, thinkingBudget } = agent
    // Beside the budget, as Anthropic's provider has it.
    const cap = maxOutputTokens === undefined ? undefined : maxOutputTokens - (thinkingBudget ?? 0)
    const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: thinkingBudget } } }
    return createAgent(
      governed(scope, {
        model: createScriptedLanguageModel(model, { modelId, specificationVersion: version }),
        instructions,
        repeatGuard,
        maxRetries,
        onError: () => {},
        tools: toolsFrom(agent),
        declare: Object.fromEntries(tools.map(({ name, execute: _, ...declared }) => [name, declared])),
        ...(cap === undefined ? {} : { maxOutputTokens: cap }),
        ...(thinkingBudget === undefined ? {} : { providerOptions: thinking }),
      }),
    )
  }
  return {
    run: async (agent) =>
      asRun(await runGoverned(agent.scope, build(agent), { prompt: agent.prompt, stream: agent.isStreaming })),
    resume: async (agent) => asRun(await resumeGoverned(agent.scope, build(agent), { stream: agent.isStreaming })),
  }
}

function asRun({ status, output, partialOutput, breach, mayBeHalfDone }: GovernedResult) {
  return { status, output, partialOutput, breach, mayBeHalfDone }
}

function toolsFrom({ tools }: ContractAgent): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, execute }) => [
      name,
      {
        description: `The tool ${name}.`,
        inputSchema: ANY_INPUT,
        execute: async (input: object, { abortSignal }: { abortSignal?: AbortSignal }) =>
          execute(input, { signal: abortSignal! }),
      },
    ]),
  )
}
