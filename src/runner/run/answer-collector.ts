import type { AnswerPart, StreamPart } from './language-model.ts'

/** An answer that is put together from the parts of its stream, in their order. */
export interface AnswerCollector {
  add(part: StreamPart): void
  content(): readonly AnswerPart[]
}

type Metadata = { readonly providerMetadata?: NonNullable<AnswerPart['providerMetadata']> }
type Open = { type: 'text' | 'reasoning'; text: string } & Metadata

// Parts that stand in a stream as they would in an answer.
const WHOLE: readonly string[] = ['tool-call', 'tool-result', 'file']

export function createAnswerCollector(): AnswerCollector {
  const parts: (Open | AnswerPart)[] = []
  const open = new Map<string, Open>()
  const begin = (type: Open['type'], id: string): Open => {
    const begun: Open = { type, text: '' }
    open.set(`${type} ${id}`, begun)
    parts.push(begun)
    return begun
  }
  return {
    add(part) {
      if (WHOLE.includes(part.type)) parts.push(part as AnswerPart)
      const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
      if (type === undefined || !('id' in part)) return
      const kind = type as Open['type']
      const known = open.get(`${kind} ${part.id}`) ?? begin(kind, part.id)
      if ('delta' in part && step === 'delta') known.text += part.delta
      // A provider signs its reasoning at the beginning, in the middle or at the end.
      if ('providerMetadata' in part && part.providerMetadata !== undefined) {
        Object.assign(known, { providerMetadata: part.providerMetadata })
      }
      if (step === 'end') open.delete(`${kind} ${part.id}`)
    },
    content: () => parts.map((part) => ({ ...part }) as AnswerPart),
  }
}
