const LITERAL = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Where a text stops being JSON, for the error message: the engine's own messages have no position, or quote the text.
 * Only called for a text that did not parse, so it need not be fast.
 */
export function findFault(text: string): number {
  const open: string[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const character = text[at]
    if (character === '{' || character === '[') {
      open.push(character)
      at = skipSpace(text, at + 1)
      if (text[at] === closerOf(character)) {
        open.pop()
        at++
      } else if (character === '{') {
        at = behindKey(text, at)
        if (at < 0) return -at - 1
        continue
      } else continue
    } else {
      at = character === '"' ? behindString(text, at) : behindLiteral(text, at)
      if (at < 0) return -at - 1
    }
    // After a value: what closes here, then a comma and the next one.
    at = skipSpace(text, at)
    while (open.length > 0 && text[at] === closerOf(open.at(-1)!)) {
      open.pop()
      at = skipSpace(text, at + 1)
    }
    if (open.length === 0 || text[at] !== ',') return at
    at = skipSpace(text, at + 1)
    if (open.at(-1) === '{') {
      at = behindKey(text, at)
      if (at < 0) return -at - 1
    }
  }
}

// In these a fault at `position` is `-position - 1`.

function behindKey(text: string, start: number): number {
  if (text[start] !== '"') return -start - 1
  const end = behindString(text, start)
  if (end < 0) return end
  const colon = skipSpace(text, end)
  return text[colon] === ':' ? skipSpace(text, colon + 1) : -colon - 1
}

function behindString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') {
    if (at >= text.length || text.charCodeAt(at) < 0x20) return -at - 1
    if (text[at] === '\\') {
      ESCAPE.lastIndex = at
      if (!ESCAPE.test(text)) return -at - 1
      at = ESCAPE.lastIndex
    } else at++
  }
  return at + 1
}

function behindLiteral(text: string, start: number): number {
  LITERAL.lastIndex = start
  return LITERAL.test(text) ? LITERAL.lastIndex : -start - 1
}

function closerOf(opener: string): string {
  return opener === '{' ? '}' : ']'
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}
