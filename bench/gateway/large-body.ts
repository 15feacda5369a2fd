import { MODEL, toolOf } from './messages.ts'

/** What a large request is made of: what agents read, or what somebody has written for them to read. */
export const LARGE_KINDS = ['prose', 'look-alikes', 'small-messages'] as const
export type LargeKind = (typeof LARGE_KINDS)[number]

const PROSE = 'The quick brown fox (it was late) jumps over the lazy dog, and then it reads a little more. '
const LOOK_ALIKES = '[budget'
// About as many as a request may hold: 60,000 JSON values are the most.
const MESSAGES = 18_000
const ENVELOPE_BYTES = 48

/** A chat request of about `bytes` with one tool. Another `number` makes another text, so that nothing of it is known. */
export function largeBody(kind: LargeKind, bytes: number, number: number): string {
  return JSON.stringify({
    model: MODEL,
    max_tokens: 256,
    tools: [toolOf(0)],
    messages: messagesOf(kind, bytes, number),
  })
}

function messagesOf(kind: LargeKind, bytes: number, number: number): readonly object[] {
  if (kind === 'small-messages') {
    const text = PROSE.repeat(Math.ceil(bytes / MESSAGES / PROSE.length)).slice(0, bytes / MESSAGES - ENVELOPE_BYTES)
    return Array.from({ length: MESSAGES }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} of ${number}: ${text}`,
    }))
  }
  const piece = kind === 'prose' ? PROSE : LOOK_ALIKES
  const content = `Result ${number}: ${piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes)}`
  const call = { id: 'call_1', type: 'function', function: { name: 'tool_0', arguments: '{"path":"a"}' } }
  return [
    { role: 'user', content: 'Read the file.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content },
  ]
}
