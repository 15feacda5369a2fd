import { isLookAlike } from './look-alike.ts'

const OPENING_BRACKET = /[\p{Ps}<\u{e005b}]/gu
const QUOTED = 'quoted '

/**
 * Tool output in which nothing can be taken for a hint of ours: `[budget: 99 left]` becomes
 * `[quoted budget: 99 left]`. A visible word, since what people cannot see a model may read over. Idempotent; linear
 * in the length of the text; a text without look-alikes is returned as it is.
 */
export function defuse(text: string): string {
  let defused = ''
  let copied = 0
  for (const { 0: bracket, index } of text.matchAll(OPENING_BRACKET)) {
    if (!isLookAlike(text, index)) continue
    const inside = index + bracket.length
    defused += text.slice(copied, inside) + QUOTED
    copied = inside
  }
  return copied === 0 ? text : defused + text.slice(copied)
}
