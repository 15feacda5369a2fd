import {
  type Breach,
  type Breaches,
  balanceKey,
  compareLimits,
  describeBreach,
  isCounterMeter,
  isEnforced,
  isMeter,
  isSameButSource,
  type Limit,
  type LimitReading,
  type ScopeReading,
  StintError,
} from '../../core/index.ts'
import { emitExceeded, reportsOwnChanges } from '../events/emit.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { refuseClocks } from '../scope/clocks/refuse-clocks.ts'
import { abortedBy, haltAdmission, renewSignals } from '../scope/halt-scope.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isClockLimit, isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { answerIncrease } from './answer-increase.ts'
import { emitLimitChanges } from './emit-limit-changes.ts'
import { goOnScope, pauseScope } from './pause-and-resume.ts'

// Each round means that another process wrote limits meanwhile.
const MOST_ROUNDS = 20

/** Maps a scope's current limits to its new ones. */
export type ChangeLimits = (present: readonly Limit[]) => readonly Limit[]

/**
 * Changes the limits of a scope, up or down, without undoing concurrent changes. What a raised limit had halted or
 * paused continues, waiting callers try again, and a scope that has used more than it now may is stopped.
 */
export async function applyLimits(runtime: ScopeRuntime, change: ChangeLimits, by: string | null): Promise<void> {
  const { store, clock } = runtime.context
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
    const limits = change(runtime.limits)
      .map((limit) => runtime.limits.find((old) => isWrittenAgain(old, limit)) ?? limit)
      .toSorted(compareLimits)
    if (runtime.kind === 'lasting') refuseClocks(limits, runtime.name)
    if (limits.length === runtime.limits.length && limits.every((each, place) => each === runtime.limits[place])) return
    const request = { scopeId: runtime.id, limits, expectedRevision: runtime.revision, atMs: clock.wallMs() }
    const outcome = await store.setLimits({ ...request, ...(by === null ? {} : { by }) })
    const reading = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() }))?.at(-1)
    if (reading === undefined) throw new ScopeClosedError(runtime.id)
    const isWritten = outcome.kind === 'written'
    await followLimits(runtime, reading, by, isWritten ? reportsOwnChanges(runtime) : runtime.life.isOwned)
    if (isWritten) return
  }
  const message = `Other processes kept changing the limits of "${runtime.path}" at the same time. Try again.`
  throw new StintError('store_busy', message, { retryable: true })
}

/** Applies the store's limits to a scope here, if it is live and they differ from its own. */
export async function followLimits(
  runtime: ScopeRuntime,
  reading: ScopeReading,
  by: string | null,
  isReported: boolean,
): Promise<void> {
  if (!isLiving(runtime) || reading.revision <= runtime.revision) return
  const before = runtime.limits
  const after = reading.limits.map(({ limit }) => before.find((old) => isSameText(old, limit)) ?? limit)
  runtime.limits = after
  runtime.resolved = { ...runtime.resolved, ceilings: reading.ceilings }
  runtime.revision = reading.revision
  changeLifecycle(runtime, { kind: 'steered' })
  const readingOf = (limit: Limit): LimitReading | null =>
    reading.limits.find((each) => balanceKey(runtime.id, each.limit) === balanceKey(runtime.id, limit)) ?? null
  if (isReported) emitLimitChanges(runtime, { before, after }, readingOf, by)
  // Before the clocks check: a limit that is exceeded as well halts the scope in its own name.
  const wasLifted = liftStop(runtime, mendedBy(runtime))
  if (runtime.life.isOwned) lookAtClocks(runtime, wasLifted)
  await goOn(runtime, runtime, by)
  answerRaised(runtime, by)
  const lowered = after.filter((limit) => isLowered(limit, before))
  await stopWhatIsOver(
    runtime,
    lowered.flatMap((limit) => readingOf(limit) ?? []),
  )
  runtime.context.line.wake(runtime.pathIds)
}

/** Whether a limit repeats the existing one with the same effect: its original source is kept. */
function isWrittenAgain(old: Limit, limit: Limit): boolean {
  const { layer, lowers } = limit.source
  return old.source.layer === layer && old.source.lowers === lowers && isSameButSource(old, limit)
}

function isSameText(left: Limit, right: Limit): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

/** Whether a limit is new, tighter than before, or newly enforced. */
function isLowered(limit: Limit, before: readonly Limit[]): boolean {
  const old = before.find(({ meter, per }) => meter === limit.meter && per === limit.per)
  return old === undefined || limit.max < old.max || !isEnforced(old.action)
}

/** Answers the requests for a limit that was raised; the store has done so already. */
function answerRaised(runtime: ScopeRuntime, by: string | null): void {
  for (const increase of [...runtime.context.increases.values()]) {
    const { scopeId, meter, per, limit, asked } = increase.request
    if (scopeId !== runtime.id || isStillInForce({ meter, per, limit }, runtime.limits)) continue
    const raised = runtime.limits.find((each) => each.meter === meter && each.per === per && isEnforced(each.action))
    const granted = raised === undefined ? asked : raised.max - limit
    answerIncrease(runtime, increase, { status: 'approved', granted, by })
  }
}

/** Lifts what a limit of `raised` had stopped, there and below. Aborted calls are over; new ones may be made. */
async function goOn(scope: ScopeRuntime, raised: ScopeRuntime, by: string | null): Promise<void> {
  const isMended = mendedBy(raised)
  if (liftStop(scope, isMended) && scope.life.isOwned) lookAtClocks(scope, true)
  if (scope.life.isOwned) await liftPause(scope, isMended, by)
  for (const child of scope.children) await goOn(child, raised, by)
}

type IsMended = (breach: Breach) => boolean

function mendedBy({ id, limits }: ScopeRuntime): IsMended {
  return (breach) => breach.scope === id && !isStillInForce(breach, limits)
}

/** A clock may have run out after the limit that halted the scope: if so, it is halted again. */
function lookAtClocks({ clocks, limits }: ScopeRuntime, wasLifted: boolean): void {
  clocks.setLimits(limits.filter(isClockLimit), wasLifted)
}

async function liftPause(scope: ScopeRuntime, isMended: IsMended, by: string | null): Promise<void> {
  // A caller that waits for an answer continues with it; a loop that has ended continues when it is started again.
  const { pause } = scope.life
  if (pause?.request === null && !pause.loopEnds && pause.breaches?.some(isMended) === true) await goOnScope(scope, by)
}

/**
 * Whether a limit had stopped a scope that now works again. If it reaches its end again, it makes another closing call.
 */
function liftStop(scope: ScopeRuntime, isMended: IsMended): boolean {
  const wasAborted = abortedBy(scope)?.some(isMended) === true
  const before = scope.life
  changeLifecycle(scope, { kind: 'mended', isMended })
  const { life } = scope
  if (life.halt !== null || (life === before && !wasAborted)) return false
  scope.closing.hasWrappedUp = false
  renewSignals(scope)
  return true
}

function isStillInForce(
  { meter, per, limit }: Pick<Breach, 'meter' | 'per' | 'limit'>,
  limits: readonly Limit[],
): boolean {
  // What the repeat guard stopped cannot be mended by raising a limit.
  if (!isMeter(meter)) return true
  return limits.some((each) => each.meter === meter && each.per === per && isEnforced(each.action) && each.max <= limit)
}

/** Stops what exceeds a lowered limit. Spawns stop nothing that runs, and the clocks act by themselves. */
async function stopWhatIsOver(runtime: ScopeRuntime, changed: readonly LimitReading[]): Promise<void> {
  const over = changed.filter(({ limit, overrun }) => {
    const stops = limit.action === 'terminate' || limit.action === 'pause'
    return stops && overrun > 0 && isCounterMeter(limit.meter) && limit.meter !== 'spawns'
  })
  const [first, ...others] = over.map(({ limit, settled, reserved, held, resetsAt }) =>
    describeBreach(runtime, limit, { settled, reserved, held, asked: 0, remaining: 0, resetsAt }),
  )
  if (first === undefined || !runtime.life.isOwned) return
  const breaches: Breaches = [first, ...others]
  emitExceeded(runtime, breaches)
  if (first.action === 'pause') await pauseScope(runtime, { breaches, reason: first.message })
  else haltAdmission(runtime, breaches)
}
