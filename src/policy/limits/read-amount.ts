import { METERS } from '../../core/meter.ts'
import { type Reading, read, refuse } from '../formats/reading-result.ts'
import { amountFault } from './amount-fault.ts'
import { amountFormOf, amountFromNumber, amountFromText, isNumberInForm, matchesWhole } from './amount-form.ts'
import type { NamedLimit } from './limit-names.ts'

/** Reads a maximum from an object: a number, or text in its unit's form. */
export function readAmount(limit: NamedLimit, value: unknown): Reading<number> {
  const form = amountFormOf(limit)
  const { unit } = METERS[limit.meter]
  if (typeof value === 'number' && isNumberInForm(form, value)) return read(amountFromNumber(unit, value))
  if (typeof value === 'string' && form.text !== null && matchesWhole(form.text, value)) {
    return read(amountFromText(unit, value))
  }
  return refuse(amountFault(limit, value, 'object'))
}

/** Reads a maximum from the VALUE of `KEY=VALUE`. */
export function readAmountText(limit: NamedLimit, text: string): Reading<number> {
  const form = amountFormOf(limit)
  if (!matchesWhole(form.commandLineText, text)) return refuse(amountFault(limit, text, 'text'))
  return read(amountFromText(METERS[limit.meter].unit, text))
}
