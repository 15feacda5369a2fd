import { type Action, isEnforced } from './action.ts'
import type { LimitSource } from './limit-source.ts'
import { METER_NAMES, type Meter } from './meter.ts'
import { PERIODS, type Period } from './window.ts'

/** A maximum on one meter of one scope, in the one form that every way of writing it is brought to. */
export interface Limit {
  readonly meter: Meter
  /** In the meter's unit; `settled + reserved + held` never passes it by a grant. */
  readonly max: number
  /** `null`: over the whole life of the scope. */
  readonly per: Period | null
  /** IANA name of the zone whose days, weeks and months are meant. Only read where `per` is set. */
  readonly timeZone: string
  readonly action: Action
  /** Shares of `max`, ascending, in (0, 1), each announced once by `limit_nearing`. */
  readonly nearing: readonly number[]
  readonly source: LimitSource
}

export const DEFAULT_NEARING: readonly number[] = [0.8]

export const DEFAULT_TIME_ZONE = 'UTC'

/**
 * What makes a limit the same limit when it is raised or written again. Ceilings stand beside the limit that a person
 * wrote and beside each other where one does not cover the other, so each has a key of its own.
 */
export function limitKey(limit: Limit): string {
  const key = limit.per === null ? limit.meter : `${limit.meter}/${limit.per}`
  if (limit.source.layer !== 'ceiling') return key
  const isOfDefaultZone = limit.per === null || limit.per === 'hour' || limit.timeZone === DEFAULT_TIME_ZONE
  return `${key}#ceiling${isEnforced(limit.action) ? '' : '-warn'}${isOfDefaultZone ? '' : `@${limit.timeZone}`}`
}

/** The fixed order of limits: by meter, and within one by period, the whole life first. */
export function compareLimits(left: Limit, right: Limit): number {
  const byMeter = METER_NAMES.indexOf(left.meter) - METER_NAMES.indexOf(right.meter)
  return byMeter !== 0 ? byMeter : periodRank(left.per) - periodRank(right.per)
}

function periodRank(per: Period | null): number {
  return per === null ? -1 : PERIODS.indexOf(per)
}
