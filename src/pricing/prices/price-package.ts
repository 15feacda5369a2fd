import { calcPrice } from '@pydantic/genai-prices'

export type { ModelPrice as TableRow } from '@pydantic/genai-prices'

export type CalcPrice = typeof calcPrice

/**
 * The package's lookup function, in a file of its own so that the command line can load the package late:
 * src/cli/lazy-packages.
 */
export function priceTable(): CalcPrice {
  return calcPrice
}
