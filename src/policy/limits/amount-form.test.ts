import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growth } from '../../testing/growth.fixture.ts'
import { amountFormOf, isNumberInForm, matchesWhole } from './amount-form.ts'
import { findNamedLimit } from './limit-names.ts'
import { PUBLISHED_RANGES } from './published-ranges.ts'
import { readAmount, readAmountText } from './read-amount.ts'

const named = (name: string) => findNamedLimit(name)!
const amountOf = (name: string, value: unknown) => {
  const reading = readAmount(named(name), value)
  return reading.ok ? reading.value : reading.message
}

describe('the forms of an amount', () => {
  it.each([
    ['toolCalls', '25', 25],
    ['toolCalls', '1.5k', 1500],
    ['toolCalls', '2M', 2_000_000],
    ['toolCalls', '999999.999k', 999_999_999],
    ['tokens', '200_000', 200_000],
    ['tokens', '0.5b', 500_000_000],
    ['tokens', '999.999999999b', 999_999_999_999],
    ['cost', '$1.50', 1_500_000_000],
    ['cost', '$0.000001', 1000],
    ['cost', '999999.999999999', 999_999_999_999_999],
    ['cost', 0.1, 100_000_000],
    ['cost', 1e-7, 100],
    ['cost', 1e-9, 1],
    ['time', 250, 250],
    ['time', '250ms', 250],
    ['time', '90s', 90_000],
    ['time', '1h30m', 5_400_000],
    ['time', '1h0m0s', 3_600_000],
    ['time', '1.5h', 5_400_000],
    ['time', '2d', 172_800_000],
    ['time', '1m30ms', 60_030],
    ['time', '0.00001d', 864],
    ['max_turns', 100, 100],
    ['maxTokens', '50000', 50_000],
    ['timeoutMs', '5000', 5000],
  ])('reads %s %j as %d', (name, value, expected) => {
    expect(amountOf(name, value)).toBe(expected)
  })

  it('A3: accepts zero only where it has a meaning', () => {
    for (const name of ['depth', 'spawns', 'toolCalls']) {
      expect(amountOf(name, 0)).toBe(0)
      expect(amountOf(name, '0')).toBe(0)
      expect(Object.is(amountOf(name, -0), 0)).toBe(true)
    }
    for (const name of ['modelCalls', 'messages', 'tokens', 'cost', 'time', 'idleTime', 'concurrency', 'max_turns']) {
      for (const zero of [0, '0', '0s', '$0.00', '0k']) expect(amountOf(name, zero)).toBeTypeOf('string')
    }
  })

  it('rounds fractions of a nano-USD down, never up', () => {
    expect(amountOf('cost', 1.9999999999)).toBe(1_999_999_999)
    expect(amountOf('cost', 1.5e-9)).toBe(1)
  })

  it('reads every price with at most nine decimals exactly, as a number and as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), (nanoUsd) => {
        const digits = nanoUsd.toString().padStart(10, '0')
        const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`
        expect(amountOf('cost', text)).toBe(Number(nanoUsd))
        expect(amountOf('cost', `$${text}`)).toBe(Number(nanoUsd))
        expect(amountOf('cost', Number(text))).toBe(Number(nanoUsd))
      }),
      { numRuns: 2000 },
    )
  })

  it('reads every count with a suffix as exactly that many', () => {
    const scales = { k: 3, m: 6, b: 9 } as const
    fc.assert(
      fc.property(
        fc.constantFrom<keyof typeof scales>('k', 'm', 'b'),
        fc.nat(999),
        fc.stringMatching(/^\d{0,9}$/),
        (suffix, integer, decimals) => {
          const kept = decimals.slice(0, scales[suffix])
          const expected = Number(`${integer}${kept.padEnd(scales[suffix], '0')}`)
          const text = `${integer}${kept === '' ? '' : `.${kept}`}${suffix}`
          expect(amountOf('tokens', text)).toEqual(expected === 0 ? expect.any(String) : expected)
        },
      ),
    )
  })

  it('gives each published name the same range as a number and as text', () => {
    for (const [name, range] of Object.entries(PUBLISHED_RANGES)) {
      const isInteger = amountFormOf(named(name)).isInteger
      const edges = [range.minimum, range.maximum].flatMap((edge) => [edge - 1, edge, edge + 1, edge / 2, edge * 2])
      const values = fc.oneof(
        fc.constantFrom(...edges.filter((edge) => edge >= 0)),
        isInteger ? fc.nat(range.maximum * 2) : fc.nat(20_000).map((cents) => cents / 100),
      )
      fc.assert(
        fc.property(values, (value) => {
          const isInRange = value >= range.minimum && value <= range.maximum && (!isInteger || Number.isInteger(value))
          expect({ value, fits: isNumberInForm(amountFormOf(named(name)), value) }).toEqual({ value, fits: isInRange })
          expect({ value, fits: readAmountText(named(name), String(value)).ok }).toEqual({ value, fits: isInRange })
        }),
        { numRuns: 1000 },
      )
    }
  })

  it('accepts no text longer than the longest number of milliseconds', () => {
    const longest = [
      '999d99h99m99s999ms',
      '9999h99m99s999ms',
      '999999m99s999ms',
      '99999999s999ms',
      '99999999999ms',
      '999.99999d',
    ]
    for (const text of longest) expect(amountOf('time', text)).toBeLessThanOrEqual(99_999_999_999)
    for (const text of ['1000d', '10000h', '100000000s', '100000000000ms'])
      expect(amountOf('time', text)).toBeTypeOf('string')
  })

  it.each(['toolCalls', 'tokens', 'cost', 'time'])('matches a hostile text in linear time: %s', async (name) => {
    const form = amountFormOf(named(name)).text!
    const match = (length: number): void => expect(matchesWhole(form, `${'9'.repeat(length)}x`)).toBe(false)
    // Ten times the text; quadratic would be a hundred times the work.
    expect(await growth(match, 10_000, 100_000)).toBeLessThan(40)
  })
})
