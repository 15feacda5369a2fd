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
  assertRates(rates, place)
}

/** Throws `InvalidAmountError` unless there is one whole rate at most for each counter. */
export function assertRates(rates: readonly ElasticRate[], place: string): void {
  for (let index = 0; index < rates.length; index++) {
    const { meter, numerator, denominator } = rates[index]!
    if (!isCounterMeter(meter))
      throw new InvalidAmountError({ place, meter, value: undefined, reason: 'unknown-meter' })
    const isRate =
      isAmount(numerator) && isAmount(denominator) && denominator > 0 && firstOfMeter(rates, meter) === index
    if (!isRate) {
      const value = `${showValue(numerator)} / ${showValue(denominator)}`
      throw new InvalidAmountError({ place, meter: `elastic ${meter}`, value, reason: 'not-elastic' })
    }
  }
}

// A handful at most, on the way of every call.
function firstOfMeter(rates: readonly ElasticRate[], meter: string): number {
  return rates.findIndex((rate) => rate.meter === meter)
}
