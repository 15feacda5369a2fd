import { isAmount } from './amounts.ts'
import type { ElasticAsk, ElasticRate } from './elastic.ts'
import { InvalidAmountError, showValue } from './errors.ts'
import { isCounterMeter } from './meter.ts'

/** Throws `InvalidAmountError` unless the part is whole, in order, and has one rate at most for each counter. */
export function assertElastic(elastic: ElasticAsk, place: string): void {
  const { least, enough, most, rates } = elastic
  const isOrdered = isAmount(least) && isAmount(enough) && isAmount(most) && least <= enough && enough <= most
  if (!isOrdered) {
    const value = `${showValue(least)}, ${showValue(enough)}, ${showValue(most)}`
    throw new InvalidAmountError({ place, meter: 'elastic', value, reason: 'not-elastic' })
  }
  for (const rate of rates) {
    const { meter, numerator, denominator } = rate
    if (!isCounterMeter(meter))
      throw new InvalidAmountError({ place, meter, value: undefined, reason: 'unknown-meter' })
    const isRate = isAmount(numerator) && isAmount(denominator) && denominator > 0 && isFirstOfMeter(rate, rates)
    if (!isRate) {
      const value = `${showValue(numerator)} / ${showValue(denominator)}`
      throw new InvalidAmountError({ place, meter: `elastic ${meter}`, value, reason: 'not-elastic' })
    }
  }
}

// A handful at most, on the way of every call.
function isFirstOfMeter(rate: ElasticRate, rates: readonly ElasticRate[]): boolean {
  return rates.find(({ meter }) => meter === rate.meter) === rate
}
