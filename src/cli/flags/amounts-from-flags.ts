import {
  type Amounts,
  COUNTER_METERS,
  type CounterMeter,
  InvalidOptionError,
  isCounterMeter,
  suggestName,
} from '../../core/index.ts'
import { amountFromText } from './amount-from-text.ts'

/** Reads `--amount METER=VALUE`, given once for each meter. */
export function amountsFromFlags(flags: readonly string[]): Amounts {
  const amounts = new Map<CounterMeter, number>()
  for (const flag of flags) {
    const [meter = '', ...rest] = flag.split('=')
    if (rest.length !== 1) throw new InvalidOptionError('--amount', flag, 'METER=VALUE, e.g. cost=0.02')
    if (!isCounterMeter(meter)) {
      const nearest = suggestName(meter, COUNTER_METERS)
      const hint = nearest === null ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`
      throw new InvalidOptionError('--amount', flag, `of one of ${COUNTER_METERS.join(', ')}${hint}`)
    }
    if (amounts.has(meter)) throw new InvalidOptionError('--amount', flag, `given once for ${meter}`)
    amounts.set(meter, amountFromText(meter, rest[0]!, `--amount ${flag}`))
  }
  return Object.fromEntries(amounts)
}
