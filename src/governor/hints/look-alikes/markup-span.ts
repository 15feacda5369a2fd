import { jsonExtent } from './json-extent.ts'
import { specialOpenedBy } from './markup-closers.ts'
import type { MarkupToken, TagToken } from './markup-token.ts'
import { isToolCallFence } from './tool-call-fence.ts'

/** Where a token's section of the text ends, and whether it is tool-call markup or something to leave alone. */
export interface MarkupSpan {
  readonly end: number
  readonly isMarkup: boolean
}

/** The section of the text that begins at `tokens[index]`. A truncated one reaches to the end of the text. */
export function markupSpanAt(
  text: string,
  tokens: readonly MarkupToken[],
  index: number,
  closer: MarkupToken | null,
): MarkupSpan {
  const token = tokens[index]!
  if (token.kind === 'fence') return fenceSpan(text, tokens, index)
  if (token.kind === 'ticks') return codeSpan(text, token, closer)
  if (token.kind === 'tag') return tagSpan(text, token, closer)
  if (token.kind === 'special') {
    if (specialOpenedBy(token.name) !== null) return { end: closer?.end ?? text.length, isMarkup: true }
    return { end: token.end, isMarkup: /^\/?tool_/.test(token.name) }
  }
  if (token.name === 'TOOL_REQUEST') return { end: closer?.end ?? text.length, isMarkup: true }
  return { end: token.name === 'TOOL_CALLS' ? endOfCalls(text, token.end) : token.end, isMarkup: true }
}

function fenceSpan(text: string, tokens: readonly MarkupToken[], index: number): MarkupSpan {
  const opening = tokens[index] as MarkupToken & { kind: 'fence' }
  let next = index + 1
  while (next < tokens.length && !closesFence(tokens[next]!, opening.fence)) next++
  const closing = tokens[next]
  const content = text.slice(opening.end, closing?.start ?? text.length)
  const isMarkup = isToolCallFence(opening.info, content, closing === undefined)
  return { end: closing?.end ?? text.length, isMarkup }
}

function closesFence(token: MarkupToken, fence: string): boolean {
  return token.kind === 'fence' && token.info === '' && token.fence.startsWith(fence)
}

function codeSpan(text: string, token: MarkupToken, closer: MarkupToken | null): MarkupSpan {
  const isOnOneLine = closer !== null && !text.slice(token.end, closer.start).includes('\n')
  return { end: isOnOneLine ? closer.end : token.end, isMarkup: false }
}

// A call follows: JSON, more markup, a name on its own line or with its arguments, or the end of the text.
const BODY = /\s{0,64}(?:[{[<]|[\w.-]{1,128}[ \t]{0,8}(?:\r?\n|[({<]|(?![\s\S]))|(?![\s\S]))/y

function tagSpan(text: string, token: MarkupToken & TagToken, closer: MarkupToken | null): MarkupSpan {
  const { end, isCertain, isNamed, shape } = token
  if (!isCertain || shape !== 'opening') return { end, isMarkup: isCertain }
  if (closer !== null) return { end: closer.end, isMarkup: true }
  BODY.lastIndex = end
  return { end: isNamed || BODY.test(text) ? text.length : end, isMarkup: true }
}

const NAME_BEFORE_ARGUMENTS = /\s{0,64}(?:[\w.-]{1,128}\s{0,8}(?:\[CALL_ID\][\w-]{0,64}\s{0,8})?(?:\[ARGS\]\s{0,8})?)?/y

/** Mistral's calls: a list, or a name and its arguments; a bare name only if the text is cut off after it. */
function endOfCalls(text: string, start: number): number {
  NAME_BEFORE_ARGUMENTS.lastIndex = start
  NAME_BEFORE_ARGUMENTS.test(text)
  const behindName = NAME_BEFORE_ARGUMENTS.lastIndex
  if (behindName === text.length) return behindName
  return /[{[]/.test(text.charAt(behindName)) ? jsonExtent(text, behindName) : start
}
