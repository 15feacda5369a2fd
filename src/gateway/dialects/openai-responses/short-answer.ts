import { completeUsage, promptTokens, type Usage } from '../../../pricing/index.ts'
import type { ReplacedAnswer, WireRequest } from '../dialect.ts'
import type { MutableJson } from '../shared/answer/followed-answer.ts'
import { formatEvent } from '../shared/sse/index.ts'
import { messageEvents, messageItem } from './message-events.ts'

const ID = 'resp_stint'
const MESSAGE_ID = 'msg_stint'

/** A complete answer with this text: one object, or the events of a stream. */
export function shortAnswer({ model, isStream }: WireRequest, text: string, replaced?: ReplacedAnswer): Buffer {
  const response = (status: string, output: readonly MutableJson[], usage: object | null) => ({
    id: replaced?.answerId ?? ID,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status,
    model,
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage,
  })
  const begun = response('in_progress', [], null)
  const usage = usageFields(replaced?.usage ?? completeUsage({}))
  const ended = response('completed', [messageItem(MESSAGE_ID, text)], usage)
  if (!isStream) return Buffer.from(JSON.stringify(ended))
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...messageEvents(MESSAGE_ID, 0, text),
    { type: 'response.completed', response: ended },
  ]
  const written = events.map((event, index) =>
    formatEvent(String(event.type), JSON.stringify({ ...event, sequence_number: index })),
  )
  return Buffer.from(written.join(''))
}

function usageFields(usage: Usage): object {
  const { outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens } = usage
  const prompt = promptTokens(usage)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens + cacheWrite1hTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: prompt + outputTokens,
  }
}
