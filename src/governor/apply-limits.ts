import {
  type Breach,
  type Breaches,
  balanceKey,
  compareLimits,
  describeBreach,
  isCounterMeter,
  isEnforced,
  type Limit,
  type LimitReading,
} from '../core/index.ts'
import { haltAdmission } from './halt-scope.ts'
import { pauseScope, resumeScope } from './pause-scope.ts'
import { isClockLimit, pathIds, type ScopeRuntime } from './scope-runtime.ts'
import { tellExceeded } from './tell.ts'
import { tellLimitChanges } from './tell-limit-changes.ts'

/**
 * Makes these the limits of a running scope, up or down. What a limit had halted or paused goes on where that limit
 * was raised, whoever waits asks again, and a scope that has used more than it now may is stopped.
 */
export async function applyLimits(runtime: ScopeRuntime, limits: readonly Limit[], by: string | null): Promise<void> {
  const { store, clock, line } = runtime.context
  const before = runtime.limits
  const sorted = [...limits].sort(compareLimits)
  await store.setLimits({ scopeId: runtime.id, limits: sorted, atMs: clock.wallMs() })
  runtime.limits = sorted
  const readings = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() }))?.at(-1)?.limits ?? []
  const readingOf = (limit: Limit): LimitReading | null =>
    readings.find((each) => balanceKey(runtime.id, each.limit) === balanceKey(runtime.id, limit)) ?? null
  tellLimitChanges(runtime, before, readingOf, by)
  if (runtime.kind !== 'lasting') runtime.clocks.setLimits(sorted.filter(isClockLimit))
  await goOn(runtime, runtime, by)
  const changed = sorted.filter((limit) => !before.includes(limit))
  await stopWhatIsOver(
    runtime,
    changed.flatMap((limit) => readingOf(limit) ?? []),
  )
  line.wake(pathIds(runtime))
}

/** Lifts what a limit of `raised` had stopped, there and below. What was aborted cannot go on. */
async function goOn(scope: ScopeRuntime, raised: ScopeRuntime, by: string | null): Promise<void> {
  const isMended = (breach: Breach): boolean => breach.scope === raised.id && !isStillInForce(breach, raised.limits)
  if (scope.halt?.some(isMended) === true && !scope.work.signal.aborted) scope.halt = null
  if (scope.stoppedBy?.some(isMended) === true && scope.halt === null && !scope.work.signal.aborted)
    scope.stoppedBy = null
  if (scope.pause?.breaches?.some(isMended) === true) await resumeScope(scope, by)
  for (const child of scope.children) await goOn(child, raised, by)
}

function isStillInForce({ meter, per, limit }: Breach, limits: readonly Limit[]): boolean {
  return limits.some((each) => each.meter === meter && each.per === per && isEnforced(each.action) && each.max <= limit)
}

/** Lowered below what is used: spawns stop nothing that runs, and the clocks speak for themselves. */
async function stopWhatIsOver(runtime: ScopeRuntime, changed: readonly LimitReading[]): Promise<void> {
  const over = changed.filter(({ limit, overrun }) => {
    const stops = limit.action === 'terminate' || limit.action === 'pause'
    return stops && overrun > 0 && isCounterMeter(limit.meter) && limit.meter !== 'spawns'
  })
  const [first, ...others] = over.map(({ limit, settled, reserved, held, resetsAt }) =>
    describeBreach(runtime, limit, { settled, reserved, held, asked: 0, remaining: 0, resetsAt }),
  )
  if (first === undefined || runtime.kind === 'lasting') return
  const breaches: Breaches = [first, ...others]
  tellExceeded(runtime, breaches)
  if (first.action === 'pause') await pauseScope(runtime, { breaches, reason: first.message })
  else haltAdmission(runtime, breaches)
}
