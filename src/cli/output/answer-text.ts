import { printable } from '../../core/checks/printable.ts'

/** An agent's answer as printed: on a terminal without control characters, elsewhere unchanged. */
export function answerText(text: string, isTerminal: boolean): string {
  if (!isTerminal) return text
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line) => line.split('\t').map(printable).join('\t')).join('\n')
}
