import { InvalidOptionError, isStintError, METERS, type Meter } from '../../core/index.ts'
import { parseLimit } from '../../policy/index.ts'

const NOTHING = /^\$?0+(?:\.0+)?$/

/** An amount of a meter as users write it: `10`, `50k`, `$0.50`, or `0`. */
export function amountFromText(meter: Meter, text: string, place: string, name: string = meter): number {
  if (NOTHING.test(text)) return 0
  const amount = /[/:]/.test(text) ? null : parsed(meter, text)
  if (amount !== null) return amount
  throw new InvalidOptionError(place, text, `an amount of ${name}, e.g. ${EXAMPLES[METERS[meter].unit]}`)
}

const EXAMPLES = { count: '10', tokens: '50k', nanoUsd: '0.50', milliseconds: '90s' } as const

/** Read like a limit, but with its own error message, and it cannot be `unlimited`. */
function parsed(meter: Meter, text: string): number | null {
  try {
    const entry = parseLimit(`${meter}=${text}`, {}).entries[0]
    return entry?.kind === 'set' ? entry.max : null
  } catch (error) {
    if (isStintError(error, 'invalid_limit')) return null
    throw error
  }
}
