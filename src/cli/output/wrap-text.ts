import { textWidth } from './text-width.ts'

/** A text on lines of at most `width` columns, broken between words. A longer word gets its own line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(`${line} ${word}`) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
