import { METERS } from '../core/meter.ts'
import type { AmountForm } from './amount-form.ts'
import { SUFFIX_PLACES } from './count-text.ts'
import type { NamedLimit } from './limit-names.ts'
import { MONEY_PLACES } from './money-text.ts'

const DECIMAL = /^\$?(\d+\.(\d+))([kmb]?)$/i

/** Why an amount in range is refused all the same: it is finer than the smallest one. `null` if it is not. */
export function decimalsFault(limit: NamedLimit, form: AmountForm, text: string): string | null {
  const [, number, decimals, suffix] = DECIMAL.exec(text) ?? []
  if (number === undefined || decimals === undefined || limit.isWhole) return null
  const isMoney = METERS[limit.meter].unit === 'nanoUsd'
  const suffixPlaces = SUFFIX_PLACES[suffix!.toLowerCase()]
  // Only dollars have decimals without a suffix, and only counts have a suffix.
  if (isMoney !== (suffixPlaces === undefined)) return null
  const places = suffixPlaces ?? MONEY_PLACES
  const amount = Number(number) * 10 ** (suffixPlaces ?? 0)
  const isInRange = amount <= form.maximum && (limit.published === null || amount >= form.minimum)
  if (decimals.length <= places || !isInRange) return null
  return `has more than ${places} decimals: the smallest amount is ${isMoney ? '$0.000000001' : '1'}`
}
