import { stripVTControlCharacters } from 'node:util'
import { printable } from '../../core/checks/printable.ts'
import { textWidth } from './text-width.ts'

const ELLIPSIS = '…'
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour starts with one
const COLOUR = /(\u001b\[[\d;]*m)/

/** A text in at most `width` columns, with an ellipsis if it is cut. Colour codes stay whole. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let left = Math.max(0, width - textWidth(ELLIPSIS))
  let isCut = false
  return text
    .split(COLOUR)
    .map((piece) => {
      if (COLOUR.test(piece)) return piece
      if (isCut) return ''
      const fitting = beginning(piece, left)
      left -= textWidth(fitting)
      isCut = fitting.length < piece.length
      return isCut && width > 0 ? `${fitting}${ELLIPSIS}` : fitting
    })
    .join('')
}

/** The first line of a text, with an ellipsis if there is more or it is longer than that. */
export function firstLine(text: string, longest: number): string {
  const [first = '', ...more] = text.trim().split('\n')
  const shown = printable(first) + (more.length > 0 ? ' …' : '')
  return shown.length > longest ? `${shown.slice(0, Math.max(0, longest - 1))}${ELLIPSIS}` : shown
}

/** As many characters as fit. */
function beginning(text: string, width: number): string {
  let shown = ''
  for (const { segment } of new Intl.Segmenter().segment(stripVTControlCharacters(text))) {
    if (textWidth(shown + segment) > width) break
    shown += segment
  }
  return shown
}

/** As many whole parts as fit: half a number would be another number. */
export function fitParts(parts: readonly string[], separator: string, width: number): string {
  const whole = parts.join(separator)
  if (textWidth(whole) <= width) return whole
  const more = `${separator}${ELLIPSIS}`
  for (let count = parts.length - 1; count > 0; count--) {
    const text = `${parts.slice(0, count).join(separator)}${more}`
    if (textWidth(text) <= width) return text
  }
  return width >= 1 ? ELLIPSIS : ''
}
