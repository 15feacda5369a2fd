import { counterIndex } from '../amounts/amount-vector.ts'
import { isAmount } from '../amounts/amounts.ts'
import type { ElasticAsk, ElasticRate } from '../decide/elastic.ts'
import { InvalidAmountError, showValue } from '../errors.ts'

/** Throws `InvalidAmountError` unless the numbers are whole and in order, with at most one rate per counter. */
export function assertElastic(elastic: ElasticAsk, place: string): void {
  const { least, enough, most, rates } = elastic
  const isOrdered = isAmount(least) && isAmount(enough) && isAmount(most) && least <= enough && enough <= most
  if (!isOrdered) {
    const value = `${showValue(least)}, ${showValue(enough)}, ${showValue(most)}`
    throw new InvalidAmountError({ place, meter: 'elastic', value, reason: 'not-elastic' })
  }
  assertRates(rates, place)
}

/** Throws `InvalidAmountError` unless the rates are whole numbers, at most one per counter. */
export function assertRates(rates: readonly ElasticRate[], place: string): void {
  // One bit per counter that already has a rate.
  let seen = 0
  for (const { meter, numerator, denominator } of rates) {
    const index = counterIndex(meter)
    if (index < 0) throw new InvalidAmountError({ place, meter, value: undefined, reason: 'unknown-meter' })
    const isFirst = (seen & (1 << index)) === 0
    seen |= 1 << index
    if (!isFirst || !isAmount(numerator) || !isAmount(denominator) || denominator === 0) {
      const value = `${showValue(numerator)} / ${showValue(denominator)}`
      throw new InvalidAmountError({ place, meter: `elastic ${meter}`, value, reason: 'not-elastic' })
    }
  }
}
