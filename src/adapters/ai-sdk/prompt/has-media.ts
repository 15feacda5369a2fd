import type { Prompt } from '../model/language-model.ts'
import { fileKindOf } from './file-kind.ts'

/** Whether a prompt has sound or pictures in it, which some providers price above text. */
export function hasMedia(prompt: Prompt): boolean {
  return prompt.some(({ content }) => typeof content !== 'string' && content.some(isMedia))
}

function isMedia(part: object): boolean {
  const { type, output } = part as { readonly type?: unknown; readonly output?: { type?: unknown; value?: unknown } }
  if (type === 'tool-result') {
    return output?.type === 'content' && Array.isArray(output.value) && output.value.some(isMedia)
  }
  const kind = fileKindOf(part)
  return kind === 'image' || kind === 'recording'
}
