import { InvalidOptionError, type Meter } from '../../core/index.ts'
import { formatMaximum, parseLimit } from '../../policy/index.ts'

const NOTHING = /^\$?0+(?:\.0+)?$/

/** An amount of a meter as people write one: `10`, `50k`, `$0.50`. Nothing, `0`, is an amount too. */
export function amountFromText(meter: Meter, text: string, place: string): number {
  if (NOTHING.test(text)) return 0
  const entry = /[/:]/.test(text) ? undefined : parseLimit(`${meter}=${text}`, { flag: place }).entries[0]
  if (entry?.kind === 'set') return entry.max
  throw new InvalidOptionError(place, text, `an amount of ${meter}, e.g. ${formatMaximum(meter, 50_000)}`)
}
