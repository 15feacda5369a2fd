import { randomUUID } from 'node:crypto'
import { completeUsage, type Usage } from '../../../pricing/index.ts'
import type { ReplacedAnswer, WireRequest } from '../dialect.ts'
import { textEvents, written } from './stream-event.ts'

/** A complete answer with this text and no tool calls: one message, or the events of a stream. */
export function shortAnswer({ model, isStream }: WireRequest, text: string, replaced?: ReplacedAnswer): Buffer {
  const usage = usageFields(replaced?.usage ?? completeUsage({}))
  const message = {
    id: replaced?.answerId ?? `msg_stint_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [] as object[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage,
  }
  if (!isStream) {
    return Buffer.from(JSON.stringify({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' }))
  }
  const events = [
    { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 0 } } },
    ...textEvents(0, text),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: outputOf(usage) },
    { type: 'message_stop' },
  ]
  return Buffer.from(events.map(written).join(''))
}

function usageFields({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }: Usage) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: cacheWriteTokens + cacheWrite1hTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}

function outputOf({ output_tokens }: ReturnType<typeof usageFields>): object {
  return { output_tokens }
}
