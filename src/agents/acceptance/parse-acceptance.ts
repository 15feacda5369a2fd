import { InvalidOptionError } from '../../core/index.ts'
import type { Acceptance } from './acceptance.ts'
import { readAcceptance } from './read-acceptance.ts'

/** Reads a contract that was passed in code. Throws `InvalidOptionError` with the place of the first mistake. */
export function parseAcceptance(value: unknown, place = 'acceptance'): Acceptance {
  const reading = readAcceptance(value)
  if (reading.kind === 'valid') return reading.acceptance
  const { field, value: wrong, form } = reading.problems[0]!
  const at = field === '' ? place : `${place}${field.startsWith('[') ? '' : '.'}${field}`
  throw new InvalidOptionError(at, wrong, form)
}
