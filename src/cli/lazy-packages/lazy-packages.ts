import { createRequire } from 'node:module'
import type { Pool } from 'undici'
import type { CalcPrice } from '../../pricing/prices/price-package.ts'

const require = createRequire(import.meta.url)

/**
 * Two packages take as long to load as the rest of Stint, and only model calls need them. The build of the program
 * replaces the files that import them with the ones in this folder (`tsdown.config.ts`), so that they are loaded by the
 * first call. The library imports them as usual, since bundlers must see its imports.
 */
export function loadPrices(): { readonly calcPrice: CalcPrice } {
  return require('@pydantic/genai-prices')
}

export function loadPool(): typeof Pool {
  return require('undici/lib/dispatcher/pool.js')
}

/**
 * Loads both now, for long-running commands: an update may replace Stint's files before the first call. Never throws:
 * if one cannot be loaded, the call that needs it reports that.
 */
export function loadLazyPackages(): void {
  try {
    loadPrices()
    loadPool()
  } catch {}
}
