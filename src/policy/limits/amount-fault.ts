import { showValue } from '../../core/errors.ts'
import { METER_NAMES, METERS, type Unit } from '../../core/meter.ts'
import type { Writing } from '../formats/reading-result.ts'
import { type AmountForm, amountFormOf } from './amount-form.ts'
import { amountRemedy } from './amount-remedy.ts'
import { SUFFIX_PLACES } from './count-text.ts'
import type { NamedLimit } from './limit-names.ts'
import { MONEY_PLACES } from './money-text.ts'

/** What is wrong with a maximum, and a valid form of it. */
export function amountFault(limit: NamedLimit, value: unknown, writing: Writing): string {
  return `${showValue(value)} ${reasonOf(limit, value, writing)}. ${amountRemedy(limit, value, writing)}`
}

function reasonOf(limit: NamedLimit, value: unknown, writing: Writing): string {
  if (typeof value === 'number') return reasonOfNumber(limit, value)
  if (typeof value === 'string') return reasonOfText(limit, value, writing)
  if (value === undefined) return 'is not a limit: give it a value or leave it out'
  if (typeof value === 'object') return 'is not a maximum'
  return `is not ${nounOf(limit)}`
}

function reasonOfNumber(limit: NamedLimit, value: number): string {
  const form = amountFormOf(limit)
  if (!Number.isFinite(value)) return 'is not a finite number'
  if (value === 0 && limit.published === null) return reasonOfZero()
  if (value < 0) return 'is negative'
  if (form.isInteger && !Number.isInteger(value)) return 'is not a whole number'
  return outsideRange(limit, form)
}

function reasonOfText(limit: NamedLimit, text: string, writing: Writing): string {
  const form = amountFormOf(limit)
  if (text === '') return 'is empty'
  if (/^\$?0[0.]*(?:[kmb]|ms|[smhdw])?$/i.test(text) && limit.published === null) return reasonOfZero()
  if (/^\$?0\d/.test(text)) return 'has leading zeros'
  if (text.startsWith('-')) return 'is negative'
  if (/^[+.]?(?:inf(?:inity)?|nan)$/i.test(text)) return 'is not a finite number'
  if (/\de[+-]?\d/i.test(text)) return 'has an exponent, which is refused as too easy to misread'
  if (text.trim() !== text) return 'has spaces around it'
  if (/^[^/:]+[/:][^/:]/.test(text)) return 'is more than an amount'
  if (writing === 'object' && form.text === null) return `is text, but ${limit.name} takes a number`
  if (METERS[limit.meter].unit === 'milliseconds' && /^[\d.]+$/.test(text) && !limit.isWhole) return 'has no unit'
  if (form.isInteger && /^\d+\.\d+$/.test(text)) return 'is not a whole number'
  const tooFine = decimalsFault(limit, form, text)
  if (tooFine !== null) return tooFine
  if (/^\$?\d+(?:\.\d+)?[kmb]?$/i.test(text) && !limit.isWhole) return outsideRange(limit, form)
  return limit.published !== null && /^\d+$/.test(text) ? outsideRange(limit, form) : `is not ${nounOf(limit)}`
}

function reasonOfZero(): string {
  const meters = METER_NAMES.filter((meter) => METERS[meter].allowsZero)
  return `would allow nothing: zero is valid only for ${meters.join(', ')}`
}

function outsideRange(limit: NamedLimit, form: AmountForm): string {
  const published = limit.published === null ? '' : 'published '
  const last = form.isMaximumExclusive ? `below ${form.maximum}` : `${form.maximum}`
  return `is outside the ${published}range of ${limit.name}, ${form.minimum} to ${last}`
}

const NOUNS: Readonly<Record<Unit, string>> = {
  count: 'a whole number',
  tokens: 'a number of tokens',
  nanoUsd: 'an amount of dollars',
  milliseconds: 'a duration',
}

function nounOf(limit: NamedLimit): string {
  return limit.isWhole ? NOUNS.count : NOUNS[METERS[limit.meter].unit]
}

const DECIMAL = /^\$?(\d+\.(\d+))([kmb]?)$/i

/** Why an amount in range is refused for having too many decimals; `null` if it doesn't. */
function decimalsFault(limit: NamedLimit, form: AmountForm, text: string): string | null {
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
