import { isStorableText } from '../../../../core/checks/storable-text.ts'
import type { SqlValue } from './database.ts'
import type { BoundValue } from './driver.ts'

/**
 * Checks the parameters of a statement, because the libraries don't: one reads a missing one as NULL, the other crashes
 * the process over a boolean. Fractions are refused: amounts are whole.
 */
export function bindParameters(parameters: readonly SqlValue[], expected: number): readonly BoundValue[] {
  if (parameters.length !== expected) {
    throw new TypeError(`The statement has ${expected} parameters, but was given ${parameters.length}.`)
  }
  return parameters.map(boundFrom)
}

function boundFrom(value: unknown, index: number): BoundValue {
  // As bytes it equals no stored text, and no text column accepts it. As text, SQLite would store or look for something
  // else.
  if (typeof value === 'string') return isStorableText(value) ? value : Buffer.from(value)
  if (value === null || value instanceof Uint8Array) return value
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw new TypeError(`Parameter ${index + 1} is ${String(value)}, but must be a whole number, text, bytes or null.`)
}
