import { createRequire } from 'node:module'
import type { Pool } from 'undici'
import type { CalcPrice } from '../../pricing/prices/price-package.ts'

const require = createRequire(import.meta.url)

/**
 * Two packages take as long to load as all the rest of Stint, and only a model call needs them. The build of the program
 * puts the files of this folder in the place of those that import them (`tsdown.config.ts`), so that the first call
 * loads them. The library imports them as usual, since bundlers must see what it imports.
 */
export function loadPrices(): { readonly calcPrice: CalcPrice } {
  return require('@pydantic/genai-prices')
}

export function loadPool(): typeof Pool {
  return require('undici/lib/dispatcher/pool.js')
}

/**
 * Loads both now. For what runs on: its first call finds them, even if an update has replaced the files of Stint by then.
 * Never throws: if one cannot be loaded, the call that needs it says so.
 */
export function loadLatePackages(): void {
  try {
    loadPrices()
    loadPool()
  } catch {}
}
