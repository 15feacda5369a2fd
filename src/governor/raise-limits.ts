import { compareLimits, describeSource, type Limit, limitKey } from '../core/index.ts'
import { type LimitsInput, resolveLimits } from '../policy/index.ts'
import { isClockLimit, pathIds, type ScopeRuntime } from './scope-runtime.ts'
import { headerFor } from './tell.ts'

/** Writes limits of a running scope anew: only those that are named change, and never above an operator's ceiling. */
export async function raiseLimits(runtime: ScopeRuntime, input: LimitsInput, by: string | null): Promise<void> {
  const { store, clock, line } = runtime.context
  const ceilings = runtime.resolved.ceilings
  const written = resolveLimits([{ layer: 'call', call: 'scope.raise', field: 'limits', limits: input }])
  const removed = new Set(written.removed.map(({ meter }) => meter))
  const before = runtime.limits
  const kept = before.filter((old) => !removed.has(old.meter) && !written.limits.some((next) => isSameLimit(old, next)))
  const changed = written.limits.map((next) => {
    const old = before.find((each) => isSameLimit(each, next))
    const most = ceilings.find((ceiling) => isSameLimit(ceiling, next))?.max ?? Number.MAX_SAFE_INTEGER
    return { ...next, max: Math.min(next.max, most), action: old?.action ?? next.action }
  })
  const limits = [...kept, ...changed].sort(compareLimits)
  await store.setLimits({ scopeId: runtime.id, limits, atMs: clock.wallMs() })
  runtime.limits = limits
  runtime.clocks.setLimits(limits.filter(isClockLimit))
  if (runtime.halt?.some((breach) => changed.some((limit) => isRaised(breach, limit))) === true) runtime.halt = null
  for (const limit of changed) tellRaised(runtime, before, limit, by)
  line.wake(pathIds(runtime))
}

function isSameLimit(left: Limit, right: Limit): boolean {
  return left.meter === right.meter && left.per === right.per
}

function isRaised(breach: { meter: string; per: string | null; limit: number }, limit: Limit): boolean {
  return breach.meter === limit.meter && breach.per === limit.per && limit.max > breach.limit
}

function tellRaised(runtime: ScopeRuntime, before: readonly Limit[], limit: Limit, by: string | null): void {
  const old = before.find((each) => limitKey(each) === limitKey(limit))
  runtime.context.hub.emit({
    ...headerFor(runtime, 'limit_raised'),
    limit_kind: limit.meter,
    per: limit.per,
    limit_before: old?.max ?? null,
    limit: limit.max,
    used: 0,
    by,
    source: describeSource(limit.source),
  })
}
