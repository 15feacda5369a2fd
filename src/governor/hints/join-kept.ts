/** The parts of a text between what was taken out: where they meet, a space or one blank line is enough. */
export function joinKept(parts: readonly string[]): string {
  const pieces: string[] = []
  let gap = ''
  for (const part of parts) {
    const body = part.trim()
    if (body === '') {
      gap += part
      continue
    }
    const start = part.indexOf(body)
    const leading = part.slice(0, start)
    if (pieces.length > 0) pieces.push(separatorFor(gap + leading))
    // Of the line that the text goes on with, the indentation stays.
    if (leading.includes('\n')) pieces.push(leading.slice(leading.lastIndexOf('\n') + 1))
    pieces.push(body)
    gap = part.slice(start + body.length)
  }
  return pieces.join('')
}

function separatorFor(gap: string): string {
  if (gap.includes('\n')) return '\n\n'
  return gap === '' ? '' : ' '
}
