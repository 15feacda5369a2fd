import { formatAmount } from '../../core/amounts/format-amount.ts'
import type { Breach } from '../../core/limits/breach.ts'
import { METERS } from '../../core/meter.ts'
import { amountInWords, limitWords, perPeriod } from './amount-words.ts'

/** The part of a breach that an agent is shown: of a meter, or of the repeat guard. */
export interface ReachedLimit
  extends Pick<
    Breach,
    'limit' | 'per' | 'settled' | 'reserved' | 'asked' | 'remaining' | 'resetsAt' | 'action' | 'scopePath'
  > {
  readonly meter: Breach['meter'] | 'repeat'
}

/** The limit as a phrase: "the limit of 20 tool calls", "the cost limit of $1.00 per day". */
export function limitPhrase({ meter, limit, per }: Pick<ReachedLimit, 'meter' | 'limit' | 'per'>): string {
  if (meter === 'repeat') return `the limit of ${limit} calls with the same arguments and the same result`
  const { unit } = METERS[meter]
  if (unit === 'count' || unit === 'tokens') return `the limit of ${amountInWords(meter, limit)}${perPeriod(per)}`
  const words = meter === 'cost' ? 'cost' : limitWords(meter)
  return `the ${words} limit of ${formatAmount(meter, limit)}${perPeriod(per)}`
}
