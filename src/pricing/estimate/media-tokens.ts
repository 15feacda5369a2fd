/** The most tokens per media item, by the provider's own figures. */
export interface MediaTokens {
  readonly imageTokens: number
  readonly pageTokens: number
  readonly audioTokensPerSecond: number
  readonly videoTokensPerSecond: number
}

// Google: 32 tokens per second of audio, about 300 per second of video with audio (ai.google.dev, token counting,
// looked up 2026-11-17): the highest published figures, also used for providers that publish none.
const DENSEST = { audioTokensPerSecond: 32, videoTokensPerSecond: 300 }
// OpenAI: one token per 100 ms of audio input (developers.openai.com, managing costs of realtime).
const OPENAI_AUDIO_TOKENS_PER_SECOND = 10

// Anthropic: an image takes up to 4,784 tokens (since Claude Opus 4.7; 1,568 before); a PDF page is up to 3,000 tokens
// of text plus an image of it (platform.claude.com, vision and PDF support).
const ANTHROPIC: MediaTokens = { imageTokens: 4_784, pageTokens: 7_784, ...DENSEST }
// OpenAI: patches of 32 × 32 pixels up to 10,000 (detail "original"), 1.2 tokens each, as third parties quote its
// guide; a page is its text plus an image.
const OPENAI: MediaTokens = { imageTokens: 12_000, pageTokens: 15_000, ...DENSEST }
// Google: 2,240 tokens at the highest media resolution; a page is one such image (ai.google.dev, media resolution).
const GOOGLE: MediaTokens = { imageTokens: 2_240, pageTokens: 2_240, ...DENSEST }

/** The most that an image or page takes with this model; the maximum of all providers for an unknown model. */
export function mediaTokens(model: string | undefined): MediaTokens {
  if (model === undefined) return OPENAI
  if (/claude|anthropic/i.test(model)) return ANTHROPIC
  if (/gemini|gemma/i.test(model)) return GOOGLE
  return /\bgpt-/i.test(model) ? { ...OPENAI, audioTokensPerSecond: OPENAI_AUDIO_TOKENS_PER_SECOND } : OPENAI
}
