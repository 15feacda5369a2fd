/** Joins the parts of a text that remain after removals with a space or one blank line. */
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
    // The line where the text continues keeps its indentation.
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
