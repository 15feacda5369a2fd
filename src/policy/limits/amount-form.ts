import { METERS, type Unit } from '../../core/meter.ts'
import { countFromText, countPattern } from './count-text.ts'
import { positiveInteger } from './decimal-text.ts'
import { DURATION_PATTERN, millisecondsFromText } from './duration-text.ts'
import type { NamedLimit } from './limit-names.ts'
import { MONEY_PATTERN, nanoUsdFromNumber, nanoUsdFromText } from './money-text.ts'

/** How a maximum may be written under one name. The parser and the JSON schema share it. */
export interface AmountForm {
  readonly isInteger: boolean
  readonly minimum: number
  /** Inclusive, except for money under a native name, where it is the first amount that is too large. */
  readonly maximum: number
  readonly isMaximumExclusive: boolean
  /** What text in an object must match as a whole; `null` if only numbers are accepted. */
  readonly text: string | null
  /** What VALUE in KEY=VALUE must match as a whole. */
  readonly commandLineText: string
}

interface UnitForm {
  readonly minimum: number
  readonly maximum: number
  readonly digits: number
  readonly text: string
  readonly fromText: (text: string) => number
  readonly fromNumber: (value: number) => number
}

// Adding 0 turns -0, which JSON can carry, into 0.
const asItIs = (value: number): number => value + 0

const UNIT_FORMS: Readonly<Record<Unit, UnitForm>> = {
  count: {
    minimum: 1,
    maximum: 999_999_999,
    digits: 9,
    text: countPattern(9),
    fromText: countFromText,
    fromNumber: asItIs,
  },
  tokens: {
    minimum: 1,
    maximum: 999_999_999_999,
    digits: 12,
    text: countPattern(12),
    fromText: countFromText,
    fromNumber: asItIs,
  },
  nanoUsd: {
    minimum: 1e-9,
    maximum: 1_000_000,
    digits: 6,
    text: MONEY_PATTERN,
    fromText: nanoUsdFromText,
    fromNumber: nanoUsdFromNumber,
  },
  milliseconds: {
    minimum: 1,
    maximum: 99_999_999_999,
    digits: 11,
    text: DURATION_PATTERN,
    fromText: millisecondsFromText,
    fromNumber: asItIs,
  },
}

/** The form of the values that a name accepts. */
export function amountFormOf(limit: NamedLimit): AmountForm {
  const { unit, allowsZero } = METERS[limit.meter]
  const form = UNIT_FORMS[unit]
  const isInteger = unit !== 'nanoUsd'
  if (limit.published !== null) {
    const { minimum, maximum, text } = limit.published
    return { isInteger, minimum, maximum, isMaximumExclusive: false, text: null, commandLineText: text }
  }
  const positive = limit.isWhole ? positiveInteger(form.digits) : form.text
  const text = allowsZero ? `0|${positive}` : positive
  return {
    isInteger,
    minimum: allowsZero ? 0 : form.minimum,
    maximum: form.maximum,
    isMaximumExclusive: !isInteger,
    text,
    commandLineText: text,
  }
}

/** Whether a number is in the form's range. NaN and the infinities never are. */
export function isNumberInForm(form: AmountForm, value: number): boolean {
  if (form.isInteger && !Number.isInteger(value)) return false
  return value >= form.minimum && (form.isMaximumExclusive ? value < form.maximum : value <= form.maximum)
}

/** Whether the whole of `text` matches a form's pattern. */
export function matchesWhole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text)
}

/** Converts text that matches its form to an amount in the meter's unit. */
export function amountFromText(unit: Unit, text: string): number {
  return UNIT_FORMS[unit].fromText(text)
}

/** Converts a number in its form's range to an amount in the meter's unit. */
export function amountFromNumber(unit: Unit, value: number): number {
  return UNIT_FORMS[unit].fromNumber(value)
}
