import { isStorableText } from '../../../core/storable-text.ts'
import type { SqlValue } from './database.ts'
import type { BoundValue } from './driver.ts'

/**
 * Checks what a statement is given, because the libraries do not: one reads what is missing as NULL, the other ends
 * the process over a boolean. A fraction is refused: no amount has one.
 */
export function bindParameters(parameters: readonly SqlValue[], expected: number): readonly BoundValue[] {
  if (parameters.length !== expected) {
    throw new TypeError(`The statement has ${expected} parameters, but was given ${parameters.length}.`)
  }
  return parameters.map(boundFrom)
}

function boundFrom(value: unknown, index: number): BoundValue {
  // As bytes it equals no text that is stored, and no column of text takes it: SQLite would keep, or look for, another.
  if (typeof value === 'string') return isStorableText(value) ? value : Buffer.from(value)
  if (value === null || value instanceof Uint8Array) return value
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw new TypeError(`Parameter ${index + 1} is ${String(value)}, but must be a whole number, text, bytes or null.`)
}
