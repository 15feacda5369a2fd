import { DEFAULT_PRICE_BOOK } from './price-book.ts'

// The largest of the providers that fetch an address themselves (Gemini 1.5 Pro).
const LARGEST_WINDOW = 2_000_000
// Of the models whose window is longer where a request asks for it (Claude Sonnet 4 and 4.5).
const LONG_WINDOW = 1_000_000

/** The most tokens that a prompt for this model can have; that of the largest where its window is not known. */
export function contextWindow(model: string | undefined): number {
  const price = model === undefined ? null : DEFAULT_PRICE_BOOK.find(model)
  if (price === null || price.contextWindow === null) return LARGEST_WINDOW
  // A price for prompts beyond the window shows that there is a longer one, for those who ask for it.
  const isLonger = price.input.tiers.some(({ aboveTokens }) => aboveTokens >= price.contextWindow!)
  return isLonger ? Math.max(LONG_WINDOW, price.contextWindow) : price.contextWindow
}
