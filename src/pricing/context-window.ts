import { DEFAULT_PRICE_BOOK } from './price-book.ts'

// The largest of the providers that fetch an address themselves (Gemini 1.5 Pro).
const LARGEST_WINDOW = 2_000_000

/** The most tokens that a prompt for this model can have; that of the largest where its window is not known. */
export function contextWindow(model: string | undefined): number {
  const price = model === undefined ? null : DEFAULT_PRICE_BOOK.find(model)
  return price?.contextWindow ?? LARGEST_WINDOW
}
