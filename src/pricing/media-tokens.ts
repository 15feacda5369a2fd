/** The most tokens that one item of media takes, by the provider's own figures. */
export interface MediaTokens {
  readonly imageTokens: number
  readonly pageTokens: number
}

// Anthropic: an image has a budget of 4,784 tokens (since Claude Opus 4.7; 1,568 before); a page of a PDF is up to
// 3,000 tokens of text and an image of it (platform.claude.com, vision and PDF support).
const ANTHROPIC: MediaTokens = { imageTokens: 4_784, pageTokens: 7_784 }
// OpenAI: patches of 32 × 32 pixels up to 10,000 (detail "original"), 1.2 tokens each, as others quote its guide; a page is its text and an image.
const OPENAI: MediaTokens = { imageTokens: 12_000, pageTokens: 15_000 }
// Google: 2,240 tokens at the highest media resolution; a page is one such image (ai.google.dev, media resolution).
const GOOGLE: MediaTokens = { imageTokens: 2_240, pageTokens: 2_240 }

/** The most that an image or a page takes with this model; the dearest of all where the model is not known. */
export function mediaTokens(model: string | undefined): MediaTokens {
  if (model === undefined) return OPENAI
  if (/claude|anthropic/i.test(model)) return ANTHROPIC
  return /gemini|gemma/i.test(model) ? GOOGLE : OPENAI
}
