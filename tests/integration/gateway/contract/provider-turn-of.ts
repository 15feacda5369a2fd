import type { Usage } from '../../../../src/pricing/index.ts'
import type { ScriptedModel } from '../../../../src/scripted/scripted-model.ts'
import { ScriptedModelError } from '../../../../src/scripted/scripted-model-error.ts'
import type { ProviderRequest, ProviderTurn } from '../../../../src/testing/provider/index.ts'
import { scriptedRequestOf } from './scripted-request-of.ts'

/** What the provider does with a request: whatever the scripted model behind it says, in the words of the dialect. */
export async function providerTurnOf(model: ScriptedModel, request: ProviderRequest): Promise<ProviderTurn> {
  const place = model.book.length
  try {
    const answer = await model.call(scriptedRequestOf(request))
    const { billed } = model.book[place]!
    const { text, toolCalls, usage, stop, webSearches, breaksOff } = answer
    // Of an answer that breaks off the prompt is counted when it begins.
    const told = breaksOff ? { ...billed, outputTokens: 1 } : usage
    return {
      text,
      toolCalls,
      webSearches,
      thinkingTokens: Math.max(1, usage?.reasoningTokens ?? 0),
      // The model has decided all that already.
      disobeys: true,
      ignoresCap: true,
      answersWithoutTools: true,
      isCutByCap: stop === 'length',
      usage: told === null ? 'missing' : { raw: USAGE[request.dialect](told, webSearches) },
      ...(breaksOff ? { fault: { kind: 'cut' } } : {}),
    }
  } catch (error) {
    if (!(error instanceof ScriptedModelError)) throw error
    return { fault: { kind: 'status', status: error.status, message: error.message } }
  }
}

const promptOf = ({ inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens

const USAGE: Readonly<Record<ProviderRequest['dialect'], (usage: Usage, searches: number) => object>> = {
  'anthropic-messages': (usage, searches) => ({
    input_tokens: usage.inputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
    server_tool_use: searches === 0 ? null : { web_search_requests: searches, web_fetch_requests: 0 },
  }),
  'openai-chat': (usage) => ({
    prompt_tokens: promptOf(usage),
    completion_tokens: usage.outputTokens,
    total_tokens: promptOf(usage) + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }),
  'openai-responses': (usage) => ({
    input_tokens: promptOf(usage),
    input_tokens_details: { cached_tokens: usage.cacheReadTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: promptOf(usage) + usage.outputTokens,
  }),
}
