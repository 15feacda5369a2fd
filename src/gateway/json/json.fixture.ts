import fc from 'fast-check'

/** JSON text as any client may write it: with spaces, escapes and every kind of value, and no duplicate keys. */
export const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), fc.boolean())
  .map(([value, space, isEscaped]) => {
    const text = JSON.stringify(value, null, space)
    return isEscaped ? escapeBeyondAscii(text) : text
  })

function escapeBeyondAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
