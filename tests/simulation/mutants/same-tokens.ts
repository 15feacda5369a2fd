/** Where an expression is in a text: from the first character to after the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

interface Token extends Span {
  readonly text: string
}

const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|\s+|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[\w$]+|[\s\S]/g
const LEFT_OUT = /^(?:\/\/|\/\*|\s)/
const CLOSING = new Set([')', ']', '}'])

/** Every place where the text says what `wanted` says, however it is broken into lines. */
export function sameTokens(text: string, wanted: string): readonly Span[] {
  const tokens = tokensOf(text)
  const sought = tokensOf(wanted)
  return tokens.flatMap(({ from }, start) => {
    const isThere = sought.every((each, index) => tokens[start + index]?.text === each.text)
    return isThere && sought.length > 0 ? [{ from, to: tokens[start + sought.length - 1]!.to }] : []
  })
}

/** Words, strings and signs, without white space, comments and the commas that a formatter adds before a bracket. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const { 0: match, index } of text.matchAll(TOKEN)) {
    if (LEFT_OUT.test(match)) continue
    if (CLOSING.has(match) && tokens.at(-1)?.text === ',') tokens.pop()
    tokens.push({ text: match, from: index, to: index + match.length })
  }
  return tokens
}
