import { isAmount } from './amounts.ts'
import type { ElasticAsk } from './elastic.ts'
import { InvalidAmountError, showValue } from './errors.ts'
import { isCounterMeter } from './meter.ts'

/** Throws `InvalidAmountError` unless the part is whole, in order, and has one rate at most for each counter. */
export function assertElastic(elastic: ElasticAsk, place: string): void {
  const { least, enough, most, rates } = elastic
  const isOrdered = [least, enough, most].every(isAmount) && least <= enough && enough <= most
  if (!isOrdered) {
    const value = `${showValue(least)}, ${showValue(enough)}, ${showValue(most)}`
    throw new InvalidAmountError({ place, meter: 'elastic', value, reason: 'not-elastic' })
  }
  const meters = new Set<string>()
  for (const { meter, numerator, denominator } of rates) {
    if (!isCounterMeter(meter))
      throw new InvalidAmountError({ place, meter, value: undefined, reason: 'unknown-meter' })
    const isRate = isAmount(numerator) && isAmount(denominator) && denominator > 0 && !meters.has(meter)
    if (!isRate) {
      const value = `${showValue(numerator)} / ${showValue(denominator)}`
      throw new InvalidAmountError({ place, meter: `elastic ${meter}`, value, reason: 'not-elastic' })
    }
    meters.add(meter)
  }
}
