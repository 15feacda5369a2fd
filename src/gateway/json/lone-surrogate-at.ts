// Such escapes are rare: most bodies have none, and few of the others begin like half a pair.
const MAYBE_SURROGATE = /\\u[dD]/

/** Where a string of this JSON contains half a surrogate pair, which only an escape can write; -1 if none does. */
export function loneSurrogateAt(text: string): number {
  if (!MAYBE_SURROGATE.test(text)) return -1
  // In JSON a backslash always begins an escape, so strings need not be located.
  let at = text.indexOf('\\')
  while (at !== -1) {
    const half = surrogateAt(text, at)
    if (half === 'low') return at
    if (half === 'high') {
      if (surrogateAt(text, at + 6) !== 'low') return at
      at += 6
    }
    at = text.indexOf('\\', at + 2)
  }
  return -1
}

function surrogateAt(text: string, at: number): 'high' | 'low' | null {
  if (text[at] !== '\\' || text[at + 1] !== 'u') return null
  const code = Number.parseInt(text.slice(at + 2, at + 6), 16)
  if (code >= 0xd800 && code <= 0xdbff) return 'high'
  return code >= 0xdc00 && code <= 0xdfff ? 'low' : null
}
