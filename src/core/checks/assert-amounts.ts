import type { Amounts } from '../amounts/amounts.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { isPlainObject } from './is-plain-object.ts'

/**
 * Throws `InvalidOptionError` for a value that can't hold amounts: a number, a list, a Map, a promise that wasn't
 * awaited. They have no counter fields, so nothing would be reserved.
 */
export function assertAmounts(place: string, amounts: unknown): asserts amounts is Amounts {
  if (isPlainObject(amounts) || hasFields(amounts)) return
  throw new InvalidOptionError(place, amounts, 'an object of amounts per counter, e.g. { toolCalls: 1, tokens: 1200 }')
}

function hasFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
