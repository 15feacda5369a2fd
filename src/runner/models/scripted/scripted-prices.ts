import { type PriceList, parsePrices } from '../../../pricing/index.ts'

/** What every scripted model is called in a request, and so in the price book. */
export const SCRIPTED_MODEL_ID = 'scripted'

/** Made up, so that a cost limit works without a provider: in USD per million tokens. */
export const SCRIPTED_PRICES: PriceList = parsePrices({ [SCRIPTED_MODEL_ID]: { input: 3, output: 15 } })
