import type { MarkupToken } from './markup-token.ts'

/** For each token the next one that closes it, or `null`. One pass, so that a text full of openers costs no more. */
export function markupClosersOf(tokens: readonly MarkupToken[]): readonly (MarkupToken | null)[] {
  const closers: (MarkupToken | null)[] = new Array(tokens.length).fill(null)
  const nextByKey = new Map<string, MarkupToken>()
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index]!
    const opened = keyOpenedBy(token)
    if (opened !== null) closers[index] = nextByKey.get(opened) ?? null
    const closed = keyClosedBy(token)
    if (closed !== null) nextByKey.set(closed, token)
  }
  return closers
}

function keyOpenedBy(token: MarkupToken): string | null {
  if (token.kind === 'ticks') return token.ticks
  if (token.kind === 'tag') return token.shape === 'opening' ? `</${token.name}>` : null
  if (token.kind === 'special') return specialOpenedBy(token.name)
  return token.kind === 'marker' && token.name === 'TOOL_REQUEST' ? '[END_TOOL_REQUEST]' : null
}

/** What ends the section that a special token begins; `null` for one that begins none. */
export function specialOpenedBy(name: string): string | null {
  if (/^tool_calls?(_section)?_begin$/.test(name)) return `<|${name.replace(/begin$/, 'end')}|>`
  if (name === 'tool_call') return '<|/tool_call|>'
  return name === 'python_tag' ? END_OF_MESSAGE : null
}

const END_OF_MESSAGE = '<|end of message|>'

function keyClosedBy(token: MarkupToken): string | null {
  if (token.kind === 'ticks') return token.ticks
  if (token.kind === 'tag') return token.shape === 'closing' ? `</${token.name}>` : null
  if (token.kind === 'special') return /^eo[mt]_id$/.test(token.name) ? END_OF_MESSAGE : `<|${token.name}|>`
  return token.kind === 'marker' ? `[${token.name}]` : null
}
