import type { MutableJson } from '../shared/answer/followed-answer.ts'

/** A message of the model with this text. */
export function messageItem(id: string, text: string): MutableJson {
  return { id, type: 'message', status: 'completed', role: 'assistant', content: [textPart(text)] }
}

/** The events of such a message at an index of the output, without sequence numbers. */
export function messageEvents(id: string, outputIndex: number, text: string): readonly MutableJson[] {
  const item = messageItem(id, text)
  const at = { output_index: outputIndex }
  const inside = { item_id: id, ...at, content_index: 0 }
  return [
    { type: 'response.output_item.added', ...at, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...inside, part: textPart('') },
    { type: 'response.output_text.delta', ...inside, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...inside, text, logprobs: [] },
    { type: 'response.content_part.done', ...inside, part: textPart(text) },
    { type: 'response.output_item.done', ...at, item },
  ]
}

function textPart(text: string): MutableJson {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}
