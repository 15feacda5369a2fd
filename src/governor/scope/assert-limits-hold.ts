import { InvalidOptionError, isEnforced, type Limit, type ScopeReading } from '../../core/index.ts'
import { formatMaximum } from '../../policy/index.ts'

/** A scope that is open, as far as its limits go. */
export type OpenLimits = Pick<ScopeReading, 'id' | 'revision'> & { readonly limits: readonly Limit[] }

// The revision of limits that are as they were when the scope was opened.
const AS_OPENED = 1

/**
 * Refuses limits that are written for a scope which is open already and does not hold them: opening it again changes
 * nothing about it, so they would be lost. What was written anew since (raised, approved) stands, so that a program that
 * comes back after a crash with the limits it always had finds its scope.
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
      `one that the scope holds: it is open already, with ${has}. Opening it again changes no limits. To change them: ` +
      // A shell takes a dollar sign for a variable.
      `scope.setLimits({ ${limit.meter}: … }), or stint raise ${id} --limit ${limit.meter}=${textOf(limit).replace('$', '')}`
    throw new InvalidOptionError(`The limit ${limit.meter} of open({ id: ${JSON.stringify(id)} })`, textOf(limit), form)
  }
}

function textOf({ meter, max, per, action }: Limit): string {
  const text = per === null ? formatMaximum(meter, max) : `${formatMaximum(meter, max)}/${per}`
  return isEnforced(action) ? text : `${text}:warn`
}
