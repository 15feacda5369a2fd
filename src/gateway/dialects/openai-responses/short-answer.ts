import type { MutableJson } from '../answer/followed-answer.ts'
import type { WireRequest } from '../dialect.ts'
import { formatEvent } from '../sse/index.ts'
import { messageEvents, messageItem } from './message-events.ts'

const ID = 'resp_stint'
const MESSAGE_ID = 'msg_stint'
const USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/** A whole answer that says `text`: one object, or the events of a stream. */
export function shortAnswer({ model, isStream }: WireRequest, text: string): Buffer {
  const response = (status: string, output: readonly MutableJson[], usage: object | null) => ({
    id: ID,
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
  const ended = response('completed', [messageItem(MESSAGE_ID, text)], USAGE)
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
