import { METERS, type Unit } from '../../core/meter.ts'
import type { Writing } from '../formats/reading-result.ts'
import { amountFormOf, amountFromText, isNumberInForm, matchesWhole } from './amount-form.ts'
import { findNamedLimit, type NamedLimit } from './limit-names.ts'

const FORMS: Readonly<Record<Unit, readonly string[]>> = {
  count: ['25', '1.5k'],
  tokens: ['200000', '200k'],
  nanoUsd: ['1.5', '$1.50'],
  milliseconds: ['90s', '1h30m'],
}

const WHOLE_EXAMPLES: Readonly<Record<Unit, number>> = { count: 2, tokens: 50_000, nanoUsd: 1, milliseconds: 600_000 }

/** A valid way to write the maximum, as close as possible to what was written. */
export function amountRemedy(limit: NamedLimit, value: unknown, writing: Writing): string {
  const { unit } = METERS[limit.meter]
  if (limit.published !== null) return publishedRemedy(limit, value, writing)
  if (limit.isWhole) return wholeRemedy(limit, value, writing)
  if (unit === 'milliseconds' && typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value)) {
    // A large number was probably meant in milliseconds, which is the unit in the library.
    const forms = [`${value}s`, value.length > 3 ? `${value}ms` : `${value}m`]
    return `Write ${forms.map((form) => assign(limit.name, form, writing)).join(' or ')}.`
  }
  const forms = FORMS[unit].map((form) => assign(limit.name, form, writing)).join(' or ')
  if (writing === 'text') return `Write ${forms}; ${limit.name}=unlimited removes the limit.`
  const isDetailed = typeof value === 'string' && /[/:]/.test(value)
  const details = isDetailed ? ' A period or an action is written { max: 10, per: "day", action: "warn" }.' : ''
  return `Write ${forms}; null removes the limit.${details}`
}

function publishedRemedy(limit: NamedLimit, value: unknown, writing: Writing): string {
  const { minimum, maximum } = limit.published!
  const range = `${limit.name}${writing === 'text' ? '=' : ': '}${minimum} to ${maximum}`
  const native = nativeText(limit, value)
  return native === null
    ? `Write ${range}.`
    : `Write ${range}, or under the native name ${assign(limit.meter, native, writing)}.`
}

function wholeRemedy(limit: NamedLimit, value: unknown, writing: Writing): string {
  const native = typeof value === 'string' ? nativeText(limit, value) : null
  const { unit } = METERS[limit.meter]
  const amount = native === null ? WHOLE_EXAMPLES[unit] : amountFromText(unit, native)
  // pi's maxTokens counts uncached tokens; for `50k` there we suggest plain `tokens`.
  const name = limit.name === 'maxTokens' ? 'tokens' : limit.meter
  const wide = writing === 'text' ? `${name}=${native}` : `limits: { ${name}: ${native} }`
  return `${limit.name} takes a whole number: write ${amount}${native === null ? '' : `, or ${wide}`}.`
}

/** The value as text that the meter's own name accepts; `null` if it doesn't accept the value. */
function nativeText(limit: NamedLimit, value: unknown): string | null {
  const form = amountFormOf(findNamedLimit(limit.meter)!)
  const isBare = METERS[limit.meter].unit === 'milliseconds' && /^[1-9]\d{0,10}$/.test(String(value))
  if (typeof value === 'number' && !isNumberInForm(form, value)) return null
  const text = `${String(value)}${isBare ? 'ms' : ''}`
  return (typeof value === 'number' || typeof value === 'string') && matchesWhole(form.commandLineText, text)
    ? text
    : null
}

function assign(name: string, value: string, writing: Writing): string {
  if (writing === 'text') return `${name}=${value}`
  return `${name}: ${/^[\d.]+$/.test(value) ? value : JSON.stringify(value)}`
}
