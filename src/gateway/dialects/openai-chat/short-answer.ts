import type { WireRequest } from '../dialect.ts'
import { formatEvent } from '../sse/index.ts'

const ID = 'chatcmpl-stint'
const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** A whole answer that says `text` in every choice: one object, or the events of a stream. */
export function shortAnswer(request: WireRequest, text: string): Buffer {
  const head = { id: ID, created: Math.floor(Date.now() / 1_000), model: request.model }
  const indexes = Array.from({ length: request.choices }, (_, index) => index)
  if (!request.isStream) {
    const choices = indexes.map((index) => ({
      index,
      message: { role: 'assistant', content: text, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    }))
    return Buffer.from(JSON.stringify({ ...head, object: 'chat.completion', choices, usage: USAGE }))
  }
  const chunk = (choices: readonly object[], more = {}) =>
    formatEvent('', JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more }))
  const chunks = indexes.flatMap((index) => [
    chunk([{ index, delta: { role: 'assistant', content: text }, finish_reason: null }]),
    chunk([{ index, delta: {}, finish_reason: 'stop' }]),
  ])
  const usage = request.asksForUsage ? [chunk([], { usage: USAGE })] : []
  return Buffer.from([...chunks, ...usage, 'data: [DONE]\n\n'].join(''))
}
