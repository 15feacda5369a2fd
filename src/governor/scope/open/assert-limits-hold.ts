import { InvalidOptionError, isEnforced, type Limit, type ScopeReading } from '../../../core/index.ts'
import { formatMaximum } from '../../../policy/index.ts'

/** An open scope, as far as its limits are concerned. */
export type OpenLimits = Pick<ScopeReading, 'id' | 'revision'> & { readonly limits: readonly Limit[] }

// The revision of limits that have not changed since the scope was opened.
const AS_OPENED = 1

/**
 * Refuses limits for a scope that is already open with different ones: opening it again changes nothing, so they would
 * be lost. Limits that were changed since (raised, approved) are kept, so that a program that comes back after a crash
 * with its usual limits finds its scope.
 */
export function assertLimitsHold({ id, limits: present, revision }: OpenLimits, written: readonly Limit[]): void {
  for (const limit of written) {
    const alike = present.filter(({ meter, per }) => meter === limit.meter && per === limit.per)
    const isHeld = alike.some(
      ({ max, action }) => max <= limit.max && (isEnforced(action) || !isEnforced(limit.action)),
    )
    if (isHeld || (alike.length > 0 && revision > AS_OPENED)) continue
    const has = alike.map(textOf).join(' and ') || 'none'
    const form =
      `one that the scope has: it is already open, with ${has}. Opening it again does not change limits. To change them: ` +
      // A shell treats a dollar sign as a variable.
      `scope.setLimits({ ${limit.meter}: … }), or stint raise ${id} --limit ${limit.meter}=${textOf(limit).replace('$', '')}`
    throw new InvalidOptionError(`The limit ${limit.meter} of open({ id: ${JSON.stringify(id)} })`, textOf(limit), form)
  }
}

function textOf({ meter, max, per, action }: Limit): string {
  const text = per === null ? formatMaximum(meter, max) : `${formatMaximum(meter, max)}/${per}`
  return isEnforced(action) ? text : `${text}:warn`
}
