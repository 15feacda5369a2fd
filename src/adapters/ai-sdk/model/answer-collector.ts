import type { AnswerPart, StreamPart } from './language-model.ts'

/** An answer that is put together from the parts of its stream. */
export interface AnswerCollector {
  add(part: StreamPart): void
  /** Its text so far. */
  text(): string
  content(): readonly AnswerPart[]
}

// Parts that stand in a stream as they would in an answer.
const WHOLE = ['tool-call', 'tool-result', 'file', 'source', 'tool-approval-request']

export function createAnswerCollector(): AnswerCollector {
  const texts = { text: '', reasoning: '' }
  const others: AnswerPart[] = []
  return {
    add(part) {
      if (part.type === 'text-delta') texts.text += part.delta
      else if (part.type === 'reasoning-delta') texts.reasoning += part.delta
      else if (WHOLE.includes(part.type)) others.push(part as AnswerPart)
    },
    text: () => texts.text,
    content: () => [{ type: 'reasoning', text: texts.reasoning }, { type: 'text', text: texts.text }, ...others],
  }
}
