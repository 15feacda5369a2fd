import { randomUUID } from 'node:crypto'
import type { WireRequest } from '../dialect.ts'
import { textEvents, written } from './stream-event.ts'

const USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
} as const

/** A whole answer that says `text` and calls no tool: one message, or the events of a stream. */
export function shortAnswer({ model, isStream }: WireRequest, text: string): Buffer {
  const message = {
    id: `msg_stint_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [] as object[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: USAGE,
  }
  if (!isStream) {
    return Buffer.from(JSON.stringify({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' }))
  }
  const events = [
    { type: 'message_start', message },
    ...textEvents(0, text),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 0 } },
    { type: 'message_stop' },
  ]
  return Buffer.from(events.map(written).join(''))
}
