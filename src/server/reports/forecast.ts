import { isCounterMeter, METER_NAMES, type Period } from '../../core/index.ts'
import type { Answer, RowUsage, ScopeRow } from '../contract.ts'

type Forecast = Answer<'GET /api/reports/forecast'>['limits'][number]

const HOUR_MS = 3_600_000
const PERIOD_MS: Readonly<Record<Period, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  // At most: the beginning of the month is not later than this.
  month: 31 * 24 * HOUR_MS,
}
// A rate of less than this says nothing.
const LEAST_ELAPSED_MS = 1_000

/** Which limits run out first at their average rate since the window or the run began. */
export function forecast(scopes: readonly ScopeRow[], nowMs: number, most: number): readonly Forecast[] {
  const found = scopes.flatMap((scope) => {
    if (scope.status !== 'running') return []
    return METER_NAMES.flatMap((meter) => {
      const usage = scope.usage[meter]
      if (usage === undefined || !(isCounterMeter(meter) || meter === 'time')) return []
      return forecastOf(scope, meter, usage, nowMs) ?? []
    })
  })
  const soonest = (limit: Forecast): number => limit.runsOutAtMs ?? Number.POSITIVE_INFINITY
  return found
    .sort((left, right) => soonest(left) - soonest(right) || shareLeft(left) - shareLeft(right))
    .slice(0, most)
}

function forecastOf(scope: ScopeRow, meter: Forecast['meter'], usage: RowUsage, nowMs: number): Forecast | null {
  const { unit, written, limit, settled, remaining, resetsAt, per } = usage
  if (limit === null || remaining === null || written === null || settled === 0) return null
  const startMs = per === null || resetsAt === null ? 0 : resetsAt - PERIOD_MS[per]
  const elapsedMs = nowMs - Math.max(startMs, scope.openedAtMs)
  if (elapsedMs < LEAST_ELAPSED_MS) return null
  const perHour = (settled / elapsedMs) * HOUR_MS
  const atMs = Math.round(nowMs + (remaining / perHour) * HOUR_MS)
  const isInTime = (resetsAt === null || atMs < resetsAt) && atMs <= Number.MAX_SAFE_INTEGER
  return {
    scopeId: scope.id,
    scopePath: scope.path,
    meter,
    unit,
    written,
    per,
    limit,
    settled,
    remaining,
    resetsAt,
    perHour,
    windowMs: elapsedMs,
    runsOutAtMs: isInTime ? atMs : null,
  }
}

function shareLeft({ remaining, limit }: Forecast): number {
  return limit === 0 ? 0 : remaining / limit
}
