/** What happens to a call of a model without a price: no call, the dearest price of its family, or no cost at all. */
export type UnknownModels = 'refuse' | 'estimate' | 'tokens-only'

export const UNKNOWN_MODELS = ['refuse', 'estimate', 'tokens-only'] as const satisfies readonly UnknownModels[]
