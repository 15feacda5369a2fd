import { DEFAULT_PRICE_BOOK } from './price-book.ts'

// The largest window of a provider that fetches URLs itself (Gemini 1.5 Pro).
const LARGEST_WINDOW = 2_000_000
// For models with a longer window on request (Claude Sonnet 4 and 4.5).
const LONG_WINDOW = 1_000_000

/** The most tokens that a prompt for this model can have; the largest window if it is unknown. */
export function contextWindow(model: string | undefined): number {
  const price = model === undefined ? null : DEFAULT_PRICE_BOOK.find(model)
  if (price === null || price.contextWindow === null) return LARGEST_WINDOW
  // A price for prompts beyond the window shows that a longer one is available on request.
  const isLonger = price.input.tiers.some(({ aboveTokens }) => aboveTokens >= price.contextWindow!)
  return isLonger ? Math.max(LONG_WINDOW, price.contextWindow) : price.contextWindow
}
