import { completeUsage, promptTokens, type Usage } from '../../../pricing/index.ts'
import type { ReplacedAnswer, WireRequest } from '../dialect.ts'
import { formatEvent } from '../shared/sse/index.ts'

const ID = 'chatcmpl-stint'

/** A complete answer with this text in every choice: one object, or the events of a stream. */
export function shortAnswer(request: WireRequest, text: string, replaced?: ReplacedAnswer): Buffer {
  const usage = usageFields(replaced?.usage ?? completeUsage({}))
  const head = { id: replaced?.answerId ?? ID, created: Math.floor(Date.now() / 1_000), model: request.model }
  const indexes = Array.from({ length: request.choices }, (_, index) => index)
  if (!request.isStream) {
    const choices = indexes.map((index) => ({
      index,
      message: { role: 'assistant', content: text, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    }))
    return Buffer.from(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
  }
  const chunk = (choices: readonly object[], more = {}) =>
    formatEvent('', JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more }))
  const chunks = indexes.flatMap((index) => [
    chunk([{ index, delta: { role: 'assistant', content: text }, finish_reason: null }]),
    chunk([{ index, delta: {}, finish_reason: 'stop' }]),
  ])
  const last = request.hidesUsage ? [] : [chunk([], { usage })]
  return Buffer.from([...chunks, ...last, 'data: [DONE]\n\n'].join(''))
}

function usageFields(usage: Usage): object {
  const { outputTokens, cacheReadTokens, reasoningTokens } = usage
  const prompt = promptTokens(usage)
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
