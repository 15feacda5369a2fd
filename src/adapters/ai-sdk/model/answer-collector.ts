import type { AnswerPart, StreamPart } from './language-model.ts'

/** Assembles an answer from the parts of its stream, in order. */
export interface AnswerCollector {
  add(part: StreamPart): void
  /** Its text so far. */
  text(): string
  content(): readonly AnswerPart[]
}

type Open = { type: 'text' | 'reasoning'; text: string; providerMetadata?: AnswerPart['providerMetadata'] }

// Parts that look the same in a stream and in an answer.
const WHOLE = ['tool-call', 'tool-result', 'file', 'source', 'tool-approval-request']

export function createAnswerCollector(): AnswerCollector {
  const parts: (Open | AnswerPart)[] = []
  const open = new Map<string, Open>()
  let text = ''
  return {
    add(part) {
      if (WHOLE.includes(part.type)) parts.push(part as AnswerPart)
      if (part.type === 'text-delta') text += part.delta
      const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
      if (type === undefined || !('id' in part)) return
      const key = `${type} ${part.id}`
      const known = open.get(key) ?? { type: type as Open['type'], text: '' }
      if (!open.has(key)) parts.push(known)
      open.set(key, known)
      if ('delta' in part) known.text += part.delta
      // A provider may sign its reasoning at the beginning, in the middle or at the end.
      if ('providerMetadata' in part && part.providerMetadata !== undefined) {
        known.providerMetadata = part.providerMetadata
      }
      if (step === 'end') open.delete(key)
    },
    text: () => text,
    content: () => parts.map((part) => ({ ...part }) as AnswerPart),
  }
}
