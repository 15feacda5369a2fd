/**
 * What happens to a call of a model without a price: it is refused, charged at the highest price of its family, or its
 * cost isn't counted.
 */
export type UnknownModels = 'refuse' | 'estimate' | 'tokens-only'

export const UNKNOWN_MODELS = ['refuse', 'estimate', 'tokens-only'] as const satisfies readonly UnknownModels[]
