import type { Config } from '../../config/config.ts'
import { isStintError } from '../../core/index.ts'
import { createPriceBook } from '../../pricing/index.ts'
import { readModelName } from '../../runner/models/model-name.ts'
import type { Claim } from '../../trust/index.ts'
import type { Platform } from '../platform.ts'

/** Without claims that only name a model with a price: they need no trust. */
export function withoutPricedModels(claims: readonly Claim[], config: Config, { env }: Platform): readonly Claim[] {
  const book = createPriceBook({ overrides: config.prices })
  const { models, providers } = config
  const isPriced = (name: string): boolean => {
    try {
      const { provider, id } = readModelName(name, { env, models, providers, workingFolder: '' })
      // A scripted model has a price, but decides what an agent does.
      return provider !== 'scripted' && book.find(id, { provider }) !== null
    } catch (error) {
      if (!isStintError(error)) throw error
      return false
    }
  }
  return claims.filter(({ model }) => model === undefined || !isPriced(model))
}
