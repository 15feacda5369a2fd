import { showValue } from '../core/errors.ts'
import { METER_NAMES, METERS, type Unit } from '../core/meter.ts'
import { type AmountForm, amountFormOf } from './amount-form.ts'
import { amountRemedy } from './amount-remedy.ts'
import { decimalsFault } from './decimals-fault.ts'
import type { NamedLimit } from './limit-names.ts'
import type { Writing } from './reading.ts'

/** What is wrong with a maximum, and a valid form of it. */
export function amountFault(limit: NamedLimit, value: unknown, writing: Writing): string {
  return `${showValue(value)} ${reasonOf(limit, value, writing)}. ${amountRemedy(limit, value, writing)}`
}

function reasonOf(limit: NamedLimit, value: unknown, writing: Writing): string {
  if (typeof value === 'number') return reasonOfNumber(limit, value)
  if (typeof value === 'string') return reasonOfText(limit, value, writing)
  if (value === undefined) return 'is no limit: a limit has a value or is left out'
  if (typeof value === 'object') return 'is no maximum'
  return `is no ${nounOf(limit)}`
}

function reasonOfNumber(limit: NamedLimit, value: number): string {
  const form = amountFormOf(limit)
  if (!Number.isFinite(value)) return 'is no finite number'
  if (value === 0 && limit.published === null) return reasonOfZero()
  if (value < 0) return 'is negative'
  if (form.isInteger && !Number.isInteger(value)) return 'is no whole number'
  return outsideRange(limit, form)
}

function reasonOfText(limit: NamedLimit, text: string, writing: Writing): string {
  const form = amountFormOf(limit)
  if (text === '') return 'is empty'
  if (/^\$?0[0.]*(?:[kmb]|ms|[smhdw])?$/i.test(text) && limit.published === null) return reasonOfZero()
  if (/^\$?0\d/.test(text)) return 'has leading zeros'
  if (text.startsWith('-')) return 'is negative'
  if (/^[+.]?(?:inf(?:inity)?|nan)$/i.test(text)) return 'is no finite number'
  if (/\de[+-]?\d/i.test(text)) return 'has an exponent, which is refused as too easy to misread'
  if (text.trim() !== text) return 'has spaces around it'
  if (/^[^/:]+[/:][^/:]/.test(text)) return 'holds more than an amount'
  if (writing === 'object' && form.text === null) return `is text, but ${limit.name} takes a number`
  if (METERS[limit.meter].unit === 'milliseconds' && /^[\d.]+$/.test(text) && !limit.isWhole) return 'has no unit'
  if (form.isInteger && /^\d+\.\d+$/.test(text)) return 'is no whole number'
  const tooFine = decimalsFault(limit, form, text)
  if (tooFine !== null) return tooFine
  if (/^\$?\d+(?:\.\d+)?[kmb]?$/i.test(text) && !limit.isWhole) return outsideRange(limit, form)
  return limit.published !== null && /^\d+$/.test(text) ? outsideRange(limit, form) : `is no ${nounOf(limit)}`
}

function reasonOfZero(): string {
  const meters = METER_NAMES.filter((meter) => METERS[meter].allowsZero)
  return `would allow nothing: zero has a meaning for ${meters.join(', ')} only`
}

function outsideRange(limit: NamedLimit, form: AmountForm): string {
  const published = limit.published === null ? '' : 'published '
  const last = form.isMaximumExclusive ? `below ${form.maximum}` : `${form.maximum}`
  return `is outside the ${published}range of ${limit.name}, ${form.minimum} to ${last}`
}

const NOUNS: Readonly<Record<Unit, string>> = {
  count: 'whole number',
  tokens: 'number of tokens',
  nanoUsd: 'amount of dollars',
  milliseconds: 'duration',
}

function nounOf(limit: NamedLimit): string {
  return limit.isWhole ? 'whole number' : NOUNS[METERS[limit.meter].unit]
}
