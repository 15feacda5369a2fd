/** The provider's own way to count: a token per fixed number of UTF-8 bytes, rounded up. */
export interface TokenRule {
  readonly bytesPerToken: number
  tokensOf(text: string): number
  /** The longest prefix of the text with at most that many tokens, without cutting a character. */
  within(text: string, maxTokens: number): string
}

/** The tokens of an image, a document or audio, whatever its content. */
export const MEDIA_TOKENS = 1_500

/** A rule with this many bytes per token. */
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
