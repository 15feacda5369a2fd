/** The provider's own way to count: a text has one token for every so many bytes of UTF-8, begun ones included. */
export interface TokenRule {
  readonly bytesPerToken: number
  tokensOf(text: string): number
  /** The beginning of the text that has at most so many tokens; never half a character. */
  within(text: string, maxTokens: number): string
}

/** What an image, a document or a sound counts, whatever is in it. */
export const MEDIA_TOKENS = 1_500

/** A rule with so many bytes to the token. */
export function createTokenRule(bytesPerToken: number): TokenRule {
  if (!Number.isSafeInteger(bytesPerToken) || bytesPerToken < 1) {
    throw new RangeError(`bytesPerToken is ${bytesPerToken}: a whole number from 1 on is needed, e.g. 4`)
  }
  return {
    bytesPerToken,
    tokensOf: (text) => Math.ceil(Buffer.byteLength(text) / bytesPerToken),
    within(text, maxTokens) {
      const maxBytes = Math.max(0, maxTokens) * bytesPerToken
      if (Buffer.byteLength(text) <= maxBytes) return text
      const bytes = Buffer.from(text)
      let end = maxBytes
      // 10xxxxxx continues a character.
      while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
      return bytes.toString('utf8', 0, end)
    },
  }
}
