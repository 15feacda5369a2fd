import { ACTIONS } from './action.ts'
import { isAmount } from './amounts.ts'
import { showValue } from './errors.ts'
import { type Limit, limitKey } from './limit.ts'
import { isMeter } from './meter.ts'
import { StintError } from './stint-error.ts'
import { isTimeZone, PERIODS } from './window.ts'

/**
 * Throws unless every limit is in the one form that the policy brings limits to: a store is handed limits by programs
 * too, and must never take a malformed one for "unlimited".
 */
export function assertLimits(limits: readonly Limit[], place: string): void {
  const keys = new Set<string>()
  for (const [index, limit] of limits.entries()) {
    const fault = faultOf(limit) ?? repeated(limit, keys)
    if (fault === null) continue
    throw new StintError(
      'invalid_limit',
      `${place}: limits[${index}].${fault.field} is ${showValue(fault.value)}, but must be ${fault.valid}. ` +
        'Limits as people write them are read by parseLimits and resolveLimits.',
    )
  }
}

function repeated(limit: Limit, keys: Set<string>): { field: string; value: unknown; valid: string } | null {
  const key = limitKey(limit)
  if (keys.has(key)) return { field: 'meter', value: key, valid: 'written once for each period' }
  keys.add(key)
  return null
}

function faultOf(limit: Limit): { field: string; value: unknown; valid: string } | null {
  const { meter, max, per, timeZone, action, nearing } = limit
  if (!isMeter(meter)) return { field: 'meter', value: meter, valid: 'the name of a meter' }
  if (!isAmount(max)) return { field: 'max', value: max, valid: 'a whole number from 0 to 2^53 - 1' }
  if (per !== null && !PERIODS.includes(per)) return { field: 'per', value: per, valid: `null, ${PERIODS.join(', ')}` }
  if (per !== null && !isTimeZone(timeZone)) return { field: 'timeZone', value: timeZone, valid: 'a known time zone' }
  if (!ACTIONS.includes(action)) return { field: 'action', value: action, valid: ACTIONS.join(', ') }
  const isAscending = nearing.every((share, index) => share > (nearing[index - 1] ?? 0) && share < 1)
  if (!isAscending) return { field: 'nearing', value: nearing, valid: 'shares between 0 and 1, ascending' }
  return null
}
