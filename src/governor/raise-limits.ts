import type { Limit } from '../core/index.ts'
import { type LimitsInput, resolveLimits } from '../policy/index.ts'
import { applyLimits } from './apply-limits.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Writes limits of a running scope anew: only those that are named change, and never above an operator's ceiling. */
export async function raiseLimits(runtime: ScopeRuntime, input: LimitsInput, by: string | null): Promise<void> {
  const { ceilings } = runtime.resolved
  const written = resolveLimits([{ layer: 'call', call: 'scope.raise', field: 'limits', limits: input }])
  const removed = new Set(written.removed.map(({ meter }) => meter))
  const kept = runtime.limits.filter(
    (old) => !removed.has(old.meter) && !written.limits.some((next) => isSameLimit(old, next)),
  )
  const changed = written.limits.map((next) => {
    const old = runtime.limits.find((each) => isSameLimit(each, next))
    const most = Math.min(...ceilings.filter((ceiling) => isSameLimit(ceiling, next)).map(({ max }) => max))
    return { ...next, max: Math.min(next.max, most), action: old?.action ?? next.action }
  })
  await applyLimits(runtime, [...kept, ...changed], by)
}

function isSameLimit(left: Limit, right: Limit): boolean {
  return left.meter === right.meter && left.per === right.per
}
