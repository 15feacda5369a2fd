import { describeSource, isSameButSource, type Limit, type LimitReading } from '../../core/index.ts'
import { headerFor } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/** Emits which limits of a running scope changed: raised, lowered, new or removed. */
export function emitLimitChanges(
  runtime: ScopeRuntime,
  { before, after }: { readonly before: readonly Limit[]; readonly after: readonly Limit[] },
  readingOf: (limit: Limit) => LimitReading | null,
  by: string | null,
): void {
  const tell = (limit: Limit, limitBefore: number | null, max: number | null): void =>
    runtime.context.hub.emit({
      ...headerFor(runtime, 'limit_raised'),
      limit_kind: limit.meter,
      per: limit.per,
      limit_before: limitBefore,
      limit: max,
      used: usedOf(runtime, limit, readingOf(limit)),
      by,
      source: describeSource(limit.source),
    })
  for (const limit of after) {
    if (before.includes(limit)) continue
    const old = before.find((each) => isOfSameKind(each, limit))
    if (old !== undefined && isSameButSource(old, limit)) continue
    tell(limit, old?.max ?? null, limit.max)
  }
  for (const limit of before) {
    if (!after.some((each) => isOfSameKind(each, limit))) tell(limit, limit.max, null)
  }
}

function isOfSameKind(left: Limit, right: Limit): boolean {
  return left.meter === right.meter && left.per === right.per
}

function usedOf({ life, clocks }: ScopeRuntime, { meter }: Limit, reading: LimitReading | null): number {
  const isClock = meter === 'time' || meter === 'wallTime' || meter === 'idleTime'
  return isClock && life.isOwned ? clocks.usedMs(meter) : (reading?.settled ?? 0)
}
