import { isAmount } from '../amounts/amounts.ts'
import { showValue } from '../errors.ts'
import { ACTIONS } from '../limits/action.ts'
import { type Limit, limitKey } from '../limits/limit.ts'
import { LAYERS, type LimitSource } from '../limits/limit-source.ts'
import { isTimeZone, PERIODS } from '../limits/window.ts'
import { isMeter } from '../meter.ts'
import { StintError } from '../stint-error.ts'
import { isPlainObject } from './is-plain-object.ts'
import { isStorableText } from './storable-text.ts'

// Longer than any path, flag or field name.
const LONGEST_TEXT = 10_000

/**
 * Throws unless every limit is in the canonical form that the policy produces. Programs can pass limits to a store
 * directly, and a malformed limit must never mean "unlimited".
 */
export function assertLimits(limits: readonly Limit[], place: string): void {
  assertEach(limits, place, 'limits', () => null)
}

/** Throws unless every ceiling is a canonical limit whose layer is `ceiling`. */
export function assertCeilings(ceilings: readonly Limit[], place: string): void {
  assertEach(ceilings, place, 'ceilings', ({ source: { layer } }) => {
    return layer === 'ceiling' ? null : { field: 'source.layer', value: layer, valid: '"ceiling"' }
  })
}

interface Fault {
  readonly field: string
  readonly value: unknown
  readonly valid: string
}

function assertEach(
  limits: readonly Limit[],
  place: string,
  name: 'limits' | 'ceilings',
  faultBeside: (limit: Limit) => Fault | null,
): void {
  const keys = new Set<string>()
  for (const [index, limit] of limits.entries()) {
    const fault = faultOf(limit) ?? repeated(limit, keys) ?? faultBeside(limit)
    if (fault === null) continue
    throw new StintError(
      'invalid_limit',
      `${place}: ${name}[${index}].${fault.field} is ${showValue(fault.value)}, but must be ${fault.valid}. ` +
        'Use parseLimits or resolveLimits to read limits as people write them.',
    )
  }
}

function repeated(limit: Limit, keys: Set<string>): Fault | null {
  const key = limitKey(limit)
  if (keys.has(key)) return { field: 'meter', value: key, valid: 'unique per period' }
  keys.add(key)
  return null
}

function faultOf(limit: Limit): Fault | null {
  const { meter, max, per, timeZone, action, nearing, source } = limit
  if (!isMeter(meter)) return { field: 'meter', value: meter, valid: 'the name of a meter' }
  if (!isAmount(max)) return { field: 'max', value: max, valid: 'a whole number from 0 to 2^53 - 1' }
  if (per !== null && !PERIODS.includes(per)) return { field: 'per', value: per, valid: `null, ${PERIODS.join(', ')}` }
  if (per !== null && !isTimeZone(timeZone)) return { field: 'timeZone', value: timeZone, valid: 'a known time zone' }
  if (!ACTIONS.includes(action)) return { field: 'action', value: action, valid: ACTIONS.join(', ') }
  if (!isText(timeZone)) return { field: 'timeZone', value: timeZone, valid: 'a known time zone' }
  const isAscending = nearing.every((share, index) => share > (nearing[index - 1] ?? 0) && share < 1)
  if (!isAscending) return { field: 'nearing', value: nearing, valid: 'shares between 0 and 1, ascending' }
  return faultOfSource(source)
}

function faultOfSource(source: LimitSource): Fault | null {
  if (!isPlainObject(source)) return { field: 'source', value: source, valid: 'where it was written' }
  for (const [name, value] of Object.entries(source)) {
    const field = `source.${name}`
    if (name === 'line') {
      if (value !== undefined && !isAmount(value)) return { field, value, valid: 'a line number' }
    } else if (value !== undefined && !isText(value)) {
      return { field, value, valid: 'text without a NUL and without half of a character' }
    }
  }
  if (!LAYERS.includes(source.layer)) return { field: 'source.layer', value: source.layer, valid: LAYERS.join(', ') }
  return isText(source.written) ? null : { field: 'source.written', value: source.written, valid: 'a name' }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && isStorableText(value)
}
