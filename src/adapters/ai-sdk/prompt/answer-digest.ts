import { createHash } from 'node:crypto'
import { digestText } from './digest-text.ts'

// Parts of an answer that the next prompt does not have.
const NOT_SENT = ['source', 'tool-approval-request']

/**
 * A digest of an answer that is the same for the message which the AI SDK makes of it: what the model said, thought and
 * called, without what is only about it. Whatever else a message has makes it another.
 */
export function answerDigest(parts: readonly object[]): string {
  const text = joined(parts, 'text')
  const reasoning = joined(parts, 'reasoning')
  const others = parts.flatMap(otherPart)
  return createHash('sha256').update(digestText({ text, reasoning, others })).digest('base64')
}

// A text may come in one piece and be sent in several, and empty ones are left out.
function joined(parts: readonly object[], type: string): string {
  return parts.map((part) => (isOf(part, type) ? ((part as { readonly text?: string }).text ?? '') : '')).join('')
}

function otherPart(part: object): readonly unknown[] {
  const { type, toolCallId, toolName, input, result, output, mediaType, data } = part as Record<string, unknown>
  if (type === 'text' || type === 'reasoning' || NOT_SENT.includes(type as string)) return []
  if (type === 'tool-call') return [[type, toolCallId, toolName, parsed(input)]]
  if (type === 'tool-result') return [[type, toolCallId, result ?? (output as { value?: unknown } | undefined)?.value]]
  return type === 'file' ? [[type, mediaType, data]] : [part]
}

function isOf(part: object, type: string): boolean {
  return (part as { readonly type?: unknown }).type === type
}

/** The input of a call is text in an answer, and data in a message. */
function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
