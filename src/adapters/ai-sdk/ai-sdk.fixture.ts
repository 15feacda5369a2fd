import { jsonSchema, type ToolSet } from 'ai'
import { createScriptedLanguageModel } from '../../scripted/scripted-language-model.ts'
import type { AdapterUnderTest, ContractAgent } from '../../testing/adapter-contract/adapter-under-test.ts'
import { type AnyAgent, type GovernedResult, governed, resumeGoverned, runGoverned } from './index.ts'

const ANY_INPUT = jsonSchema<object>({ type: 'object', properties: { path: { type: 'string' } } })

/** Creates an agent loop from settings, with either version of the AI SDK. */
export type CreateAgent = (settings: object) => AnyAgent

/** This adapter, as the contract expects it. */
export function adapterUnderTest(createAgent: CreateAgent, version: 'v3' | 'v4'): AdapterUnderTest {
  const build = (agent: ContractAgent) => {
    const { scope, model, modelId, tools, instructions, repeatGuard, maxRetries } = agent
    const { maxOutputTokens, thinkingBudget } = agent
    // In addition to the budget, as in Anthropic's provider.
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
      asRun(await runGoverned(agent.scope, build(agent), { ...promptOf(agent), stream: agent.isStreaming })),
    resume: async (agent) => asRun(await resumeGoverned(agent.scope, build(agent), { stream: agent.isStreaming })),
  }
}

function promptOf({ prompt, files = [] }: ContractAgent) {
  if (files.length === 0) return { prompt }
  const shown = files.map(({ mediaType, data }) => ({ type: 'file', mediaType, data }))
  return { messages: [{ role: 'user', content: [{ type: 'text', text: prompt }, ...shown] }] }
}

function asRun({ status, output, partialOutput, breach, mayBeHalfDone }: GovernedResult) {
  return { status, output, partialOutput, breach, mayBeHalfDone }
}

function toolsFrom({ tools, maxWebSearches }: ContractAgent): ToolSet {
  const own = tools.map(({ name, execute }) => [
    name,
    {
      description: `The tool ${name}.`,
      inputSchema: ANY_INPUT,
      execute: async (input: object, { abortSignal }: { abortSignal?: AbortSignal }) =>
        execute(input, { signal: abortSignal! }),
    },
  ])
  const search = maxWebSearches === undefined ? {} : { web_search: searchTool(maxWebSearches) }
  return { ...Object.fromEntries(own), ...search }
}

/** As Anthropic's provider creates it. */
function searchTool(maxUses: number): ToolSet[string] {
  const id = 'anthropic.web_search_20250305'
  return { type: 'provider', id, args: { maxUses }, inputSchema: ANY_INPUT, outputSchema: ANY_INPUT } as never
}
