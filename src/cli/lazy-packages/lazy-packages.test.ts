import { describe, expect, it } from 'vitest'
import { createPool } from '../../gateway/upstream/create-pool.ts'
import { priceTable } from '../../pricing/prices/price-package.ts'
import { createPool as createPoolLate } from './create-pool.ts'
import { loadLazyPackages } from './lazy-packages.ts'
import { priceTable as priceTableLate } from './price-package.ts'

describe('a package that the program loads lazily', () => {
  it.each(['claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro', 'not-a-model'])('returns the same price of %s', (model) => {
    const usage = { input_tokens: 1000, output_tokens: 10 }
    const timestamp = new Date('2026-11-01T00:00:00Z')
    expect(priceTableLate()(usage, model, { timestamp })).toEqual(priceTable()(usage, model, { timestamp }))
  })

  it('creates the same kind of pool', async () => {
    const [late, early] = [createPoolLate, createPool].map((create) => create('http://127.0.0.1:9', {}))
    expect(late!.constructor).toBe(early!.constructor)
    await Promise.all([late!.destroy(), early!.destroy()])
  })

  it('can be loaded before it is needed', () => {
    expect(loadLazyPackages).not.toThrow()
  })
})
