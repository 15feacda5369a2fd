import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { isStintError } from '../../../core/stint-error.ts'
import { createPriceBook } from '../price-book.ts'
import { InvalidPriceError } from './invalid-price-error.ts'
import { parsePrices } from './parse-prices.ts'

function refusal(input: unknown): InvalidPriceError {
  try {
    parsePrices(input, { file: 'stint.yaml' })
  } catch (error) {
    if (error instanceof InvalidPriceError) return error
    throw error
  }
  throw new Error('The prices were accepted.')
}

const only = (price: unknown) => refusal({ mine: price })

describe('user-defined prices', () => {
  it('are USD per million tokens, as numbers or as text', () => {
    const [entry] = parsePrices({ mine: { input: 3, output: '$15.50', cacheRead: '0.3' } }).get('mine')!
    expect(entry).toMatchObject({
      input: { basePicoUsd: 3_000_000 },
      output: { basePicoUsd: 15_500_000 },
      cacheRead: { basePicoUsd: 300_000 },
    })
  })

  it('may be per 1,000 tokens, without losing a digit', () => {
    const [entry] = parsePrices({ mine: { input: 0.00025, output: 0.0000375, per: '1K' } }).get('mine')!
    expect(entry).toMatchObject({ input: { basePicoUsd: 250_000 }, output: { basePicoUsd: 37_500 } })
  })

  it('fill in missing fields conservatively', () => {
    const [entry] = parsePrices({ mine: { input: 2, output: 10 } }).get('mine')!
    expect(entry).toMatchObject({
      cacheRead: { basePicoUsd: 2_000_000 },
      cacheWrite: { basePicoUsd: 2_500_000 },
      cacheWrite1h: { basePicoUsd: 5_000_000 },
      reasoning: { basePicoUsd: 10_000_000 },
      cacheWrites: 'automatic',
      maxOutputTokens: null,
    })
  })

  it('may have tiers, dates and maxima', () => {
    const prices = parsePrices({
      mine: [
        { input: 2, output: 8, from: '2026-12-01' },
        {
          input: 1,
          output: 4,
          tiers: [{ above: 200_000, input: 3 }],
          maxOutputTokens: 8_192,
          contextWindow: 400_000,
        },
      ],
    })
    const book = createPriceBook({ overrides: prices })
    expect(book.find('mine', { at: new Date('2026-11-30') })).toMatchObject({
      input: { basePicoUsd: 1_000_000, tiers: [{ aboveTokens: 200_000, picoUsd: 3_000_000 }] },
      output: { basePicoUsd: 4_000_000, tiers: [] },
      maxOutputTokens: 8_192,
    })
    expect(book.find('mine', { at: new Date('2026-12-01') })).toMatchObject({ input: { basePicoUsd: 2_000_000 } })
  })

  it('leave the price of the table in force until their first day', () => {
    const overrides = parsePrices({ 'claude-opus-5-5': { input: 1, output: 1, from: '2026-12-01' } })
    const book = createPriceBook({ overrides })
    expect(book.find('claude-opus-5-5', { at: new Date('2026-11-30') })).toMatchObject({ origin: 'table' })
    expect(book.find('claude-opus-5-5', { at: new Date('2026-12-01') })).toMatchObject({ origin: 'override' })
  })

  it('may be 0 only explicitly', () => {
    expect(parsePrices({ local: { input: 0, output: 0 } }).get('local')).toHaveLength(1)
    expect(only({ input: 0 }).message).toContain('write 0 for what is free')
  })

  it('are refused with place, value, valid form and suggestion', () => {
    const error = only({ input: 3, outptu: 15 })
    expect(isStintError(error, 'invalid_price')).toBe(true)
    expect(error).toMatchObject({ place: 'prices["mine"] in stint.yaml', value: 'outptu', suggestion: 'output' })
    expect(error.message).toMatch(/prices\["mine"\] in stint\.yaml: "outptu" .*Did you mean output\? A valid form: /)
  })

  it.each([
    [-1, 'negative'],
    [Number.NaN, 'is not a price'],
    [Number.POSITIVE_INFINITY, 'is not a price'],
    ['', 'is not a price'],
    ['three', 'is not a price'],
    ['$-3', 'is not a price'],
    ['3 EUR', 'is not a price'],
    [true, 'is not a price'],
    [null, 'is not a price'],
    [[], 'is not a price'],
    [{ base: 3 }, 'is not a price'],
    [1e20, 'more than $10,000'],
    [10_001, 'more than $10,000'],
    [0.000003, 'per token'],
    ['0.000003', 'per token'],
    [0.003, 'per 1,000 tokens'],
  ])('refuse %s as an input price', (input, reason) => {
    const error = only({ input, output: 15 })
    expect(error.message).toContain(reason)
    expect(error.place).toBe('prices["mine"].input in stint.yaml')
  })

  it('suggest the price per million for one per token or per 1,000 tokens', () => {
    expect(only({ input: 0.000003, output: 0.000015 }).suggestion).toBe('3 per million tokens')
    expect(only({ input: 0.003, output: 0.015 }).suggestion).toContain('per: "1K", or 3 per million tokens')
    expect(parsePrices({ mine: { input: 0.003, output: 0.015, per: '1M' } }).size).toBe(1)
  })

  it.each([
    [null],
    [[]],
    ['3/15'],
    [{ mine: 3 }],
    [{ mine: [] }],
    [{ mine: null }],
    [{ '': { input: 1, output: 1 } }],
    [{ 'a b': { input: 1, output: 1 } }],
    [{ mine: { output: 1 } }],
    [{ mine: { input: 1 } }],
    [{ mine: { input: 1, output: 1, per: '1B' } }],
    [{ mine: { input: 1, output: 1, from: 'tomorrow' } }],
    [{ mine: { input: 1, output: 1, from: '2026-02-30' } }],
    [{ mine: { input: 1, output: 1, maxOutputTokens: 0 } }],
    [{ mine: { input: 1, output: 1, contextWindow: '200k' } }],
    [{ mine: { input: 1, output: 1, tiers: {} } }],
    [{ mine: { input: 1, output: 1, tiers: [{ input: 2 }] } }],
    [
      {
        mine: {
          input: 1,
          output: 1,
          tiers: [
            { above: 2, input: 2 },
            { above: 1, input: 3 },
          ],
        },
      },
    ],
    [{ mine: { input: 1, output: 1, tiers: [{ above: 2, cacheRead: 2 }] } }],
    [{ mine: { input: 1, output: 1, tiers: [{ above: 2, inptu: 2 }] } }],
    [{ mine: { input: 1, output: 1, cacheWrites: 'never' } }],
    [{ mine: { input: 1, output: 1, webSearch: -1 } }],
    [
      {
        mine: [
          { input: 1, output: 1 },
          { input: 2, output: 2 },
        ],
      },
    ],
    [{ mine: { input: 1, output: 1 }, MINE: { input: 2, output: 2 } }],
  ])('refuse a malformed list (%#)', (input) => {
    expect(refusal(input).message).toContain('A valid form:')
  })

  it('treat __proto__ like any other name', () => {
    const prices = parsePrices(JSON.parse('{ "__proto__": { "input": 1, "output": 2 } }'))
    expect([...prices.keys()]).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).input).toBeUndefined()
    expect(only(JSON.parse('{ "input": 1, "output": 2, "__proto__": { "per": "1K" } }')).value).toBe('__proto__')
    expect(only(Object.create({ input: 1, output: 2 })).message).toContain('is not a price')
  })

  it.each([
    ['a Map', new Map([['mine', { input: 0, output: 0 }]])],
    [
      'a class instance',
      new (class {
        mine = { input: 0, output: 0 }
      })(),
    ],
    ['an object that inherits its fields', Object.create(Object.assign(Object.create(null), { mine: {} }))],
    ['a list', [{ input: 0, output: 0 }]],
  ])('are refused as %s, whose prices would be ignored', (_, input) => {
    expect(() => parsePrices(input)).toThrow('is not a list of prices')
    expect(() => parsePrices({ mine: new Map([['input', 3]]) })).toThrow('is not a price')
  })

  it('may come from a file or another realm', () => {
    const bare = Object.assign(Object.create(null), { mine: { input: 1, output: 2 } })
    expect(parsePrices(bare).has('mine')).toBe(true)
    expect(parsePrices(JSON.parse('{"mine":{"input":1,"output":2}}')).has('mine')).toBe(true)
    expect(parsePrices(runInNewContext('({ mine: { input: 1, output: 2 } })')).has('mine')).toBe(true)
  })

  it('are accepted by a price book only as returned by parsePrices', () => {
    const overrides = { mine: { input: 0, output: 0 } } as never
    expect(() => createPriceBook({ overrides })).toThrow('is not a result of parsePrices')
  })
})
