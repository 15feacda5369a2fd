import { joinKept } from '../join-kept.ts'
import { cutOffOpenerStart } from './cut-off-opener.ts'
import { markupClosersOf } from './markup-closers.ts'
import { markupSpanAt } from './markup-span.ts'
import { markupTokensOf } from './markup-token.ts'

/**
 * The text of a closing call without the tool calls that a model wrote into it although it may not make any. Prose and
 * code stay unchanged, including code that shows such markup. Linear in the length of the text.
 */
export function stripToolMarkup(text: string): string {
  const tokens = markupTokensOf(text)
  const closers = markupClosersOf(tokens)
  const kept: string[] = []
  let copied = 0
  let reached = 0
  tokens.forEach((token, index) => {
    if (token.start < reached) return
    const span = markupSpanAt(text, tokens, index, closers[index]!)
    reached = span.end
    if (!span.isMarkup) return
    kept.push(text.slice(copied, token.start))
    copied = span.end
  })
  const end = cutOffOpenerStart(text, reached, copied === reached && copied > 0)
  if (copied === 0 && end === text.length) return text
  return joinKept([...kept, text.slice(copied, end)])
}
