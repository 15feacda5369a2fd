import { printable } from '../../core/printable.ts'

/** What an agent said, as it is written out: on a terminal without anything that it would obey, elsewhere as it is. */
export function answerText(text: string, isTerminal: boolean): string {
  if (!isTerminal) return text
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line) => line.split('\t').map(printable).join('\t')).join('\n')
}
