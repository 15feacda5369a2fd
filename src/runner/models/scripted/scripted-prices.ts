import { type PriceList, parsePrices } from '../../../pricing/index.ts'

/** The id of every scripted model in requests and in the price book. */
export const SCRIPTED_MODEL_ID = 'scripted'

/** Made-up prices in USD per million tokens, so that cost limits work without a provider. */
export const SCRIPTED_PRICES: PriceList = parsePrices({ [SCRIPTED_MODEL_ID]: { input: 3, output: 15 } })
