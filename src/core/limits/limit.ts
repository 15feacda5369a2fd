import { METER_NAMES, type Meter } from '../meter.ts'
import { type Action, isEnforced } from './action.ts'
import type { LimitSource } from './limit-source.ts'
import { PERIODS, type Period } from './window.ts'

/** A maximum on one meter of one scope, in canonical form. */
export interface Limit {
  readonly meter: Meter
  /** In the meter's unit. A grant never takes `settled + reserved + held` above it. */
  readonly max: number
  /** `null`: over the whole life of the scope. */
  readonly per: Period | null
  /** IANA name of the time zone for days, weeks and months. Used only if `per` is set. */
  readonly timeZone: string
  readonly action: Action
  /** Shares of `max`, ascending, in (0, 1), each announced once by `limit_nearing`. */
  readonly nearing: readonly number[]
  readonly source: LimitSource
}

export const DEFAULT_NEARING: readonly number[] = [0.8]

export const DEFAULT_TIME_ZONE = 'UTC'

/**
 * Identifies a limit when it is raised or rewritten. Ceilings exist alongside the limit that a person wrote, and
 * alongside each other if neither covers the other, so each has its own key.
 */
export function limitKey(limit: Limit): string {
  const key = limit.per === null ? limit.meter : `${limit.meter}/${limit.per}`
  if (limit.source.layer !== 'ceiling') return key
  const isOfDefaultZone = limit.per === null || limit.per === 'hour' || limit.timeZone === DEFAULT_TIME_ZONE
  return `${key}#ceiling${isEnforced(limit.action) ? '' : '-warn'}${isOfDefaultZone ? '' : `@${limit.timeZone}`}`
}

/** The fixed order of limits: by meter, then by period, the whole life first. */
export function compareLimits(left: Limit, right: Limit): number {
  const byMeter = METER_NAMES.indexOf(left.meter) - METER_NAMES.indexOf(right.meter)
  return byMeter !== 0 ? byMeter : periodRank(left.per) - periodRank(right.per)
}

function periodRank(per: Period | null): number {
  return per === null ? -1 : PERIODS.indexOf(per)
}
