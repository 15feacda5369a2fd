import type { AgentLoop } from '../agent-loop.ts'
import type { AnswerPart } from './language-model.ts'

/** Keeps the model's last text, which is returned if a limit leaves no closing answer. */
export function noteText(loop: AgentLoop, text: string, isClosing: boolean): void {
  if (isClosing) loop.closingText = text
  if (text !== '') loop.lastText = text
}

export function textOf(content: readonly AnswerPart[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
