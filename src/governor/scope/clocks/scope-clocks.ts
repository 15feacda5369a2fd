import {
  type Announced,
  type Cancel,
  type Clock,
  type Crossing,
  closingSpanMs,
  crossingsAt,
  type Limit,
  NOTHING_ANNOUNCED,
  nextMark,
} from '../../../core/index.ts'

/** The meters that measure time. */
type ClockMeter = 'time' | 'wallTime' | 'idleTime'

/** The events of a scope's clocks. */
export interface ClockEvents {
  /** A threshold, the limit itself (if it only warns), or a further fifth was passed. */
  onCrossing(limit: Limit, crossing: Crossing, usedMs: number): void
  /** From here on, only the closing call may run. */
  onClosing(limit: Limit, usedMs: number): void
  /** The limit is reached. */
  onLimit(limit: Limit, usedMs: number): void
}

/** The clocks of one scope: they count while it works, and fire by timers rather than on access. */
export interface ScopeClocks {
  /** The scope stops or resumes working. */
  setSuspended(isSuspended: boolean): void
  /** A model or tool call began or ended. */
  touch(): void
  /** An invocation ends. */
  endInvocation(): void
  /** `isAtItsEnd`: only a closing call is left, so the limits that ended the scope do not fire again. */
  beginInvocation(isAtItsEnd?: boolean): void
  /**
   * Replaces the limits; what was counted stays counted. `wasLifted`: the scope is no longer halted, so limits that are
   * still exceeded fire again.
   */
  setLimits(limits: readonly Limit[], wasLifted?: boolean): void
  usedMs(meter: ClockMeter): number
  /** How long it has worked: its `time`, with fractions. */
  workedMs(): number
  /** Stops for good: the usage no longer changes. */
  stop(): void
}

interface Watch {
  limit: Limit
  announced: Announced
  isClosing: boolean
  isOver: boolean
  cancel: Cancel | null
}

function newWatch(limit: Limit): Watch {
  return { limit, announced: NOTHING_ANNOUNCED, isClosing: false, isOver: false, cancel: null }
}

/** Whether nothing has changed that a clock could report: then what it reported still holds. */
function isSameLimit(left: Limit, right: Limit): boolean {
  const isOfMeter = left.meter === right.meter && left.max === right.max && left.action === right.action
  return isOfMeter && left.nearing.join() === right.nearing.join()
}

/**
 * Starts counting immediately, from what the scope has worked before. `hasClosingCall`: whether the last part of a
 * limit is reserved for a closing call.
 */
export function createScopeClocks(
  clock: Clock,
  limits: readonly Limit[],
  hasClosingCall: () => boolean,
  events: ClockEvents,
  workedBeforeMs = 0,
): ScopeClocks {
  let isSuspended = false
  let workedMs = workedBeforeMs
  let workingSince = clock.monotonicMs()
  let touchedAtMs = workedBeforeMs
  let invokedAt: number | null = workingSince
  let invocationMs = 0
  let watches: Watch[] = []
  let hasStopped = false

  const worked = (): number => workedMs + (isSuspended ? 0 : clock.monotonicMs() - workingSince)
  const invocation = (): number => (invokedAt === null ? invocationMs : clock.monotonicMs() - invokedAt)
  const used = (meter: ClockMeter): number => {
    if (meter === 'wallTime') return Math.floor(invocation())
    return Math.floor(meter === 'time' ? worked() : worked() - touchedAtMs)
  }
  const runs = (meter: ClockMeter): boolean => (meter === 'wallTime' ? invokedAt !== null : !isSuspended)

  function look(watch: Watch): void {
    watch.cancel?.()
    watch.cancel = null
    if (hasStopped) return
    const { limit } = watch
    const meter = limit.meter as ClockMeter
    const usedMs = used(meter)
    announce(watch, usedMs)
    const closingAtMs = closingMark(limit)
    if (!watch.isClosing && closingAtMs !== null && usedMs >= closingAtMs) {
      watch.isClosing = true
      events.onClosing(limit, usedMs)
    }
    if (!watch.isOver && limit.action !== 'warn' && usedMs >= limit.max) {
      watch.isOver = true
      events.onLimit(limit, usedMs)
    }
    if (hasStopped || !runs(meter)) return
    const next = nextLook(watch, closingAtMs)
    if (Number.isFinite(next))
      watch.cancel = clock.after(Math.max(1, next - used(meter)), () => look(watch), { unref: true })
  }

  function announce(watch: Watch, usedMs: number): void {
    const { crossings, announced } = crossingsAt(watch.limit, usedMs, watch.announced)
    watch.announced = announced
    for (const crossing of crossings) events.onCrossing(watch.limit, crossing, usedMs)
  }

  /** `null` if nothing is kept back: the limit is too short, only warns, or counts idle time. */
  function closingMark(limit: Limit): number | null {
    if (!hasClosingCall() || limit.meter === 'idleTime') return null
    if (limit.action !== 'terminate' && limit.action !== 'ask') return null
    const span = closingSpanMs(limit.max)
    return span === 0 ? null : limit.max - span
  }

  function nextLook(watch: Watch, closingAtMs: number | null): number {
    const marks = [nextMark(watch.limit, watch.announced)]
    if (!watch.isClosing && closingAtMs !== null) marks.push(closingAtMs)
    if (!watch.isOver && watch.limit.action !== 'warn') marks.push(watch.limit.max)
    return Math.min(...marks)
  }

  function lookAll(): void {
    for (const watch of watches) look(watch)
  }

  function watchAll(wanted: readonly Limit[]): void {
    for (const watch of watches) watch.cancel?.()
    const before = watches
    watches = wanted
      .filter(({ meter }) => meter === 'time' || meter === 'wallTime' || meter === 'idleTime')
      .map((limit) => before.find((watch) => isSameLimit(watch.limit, limit)) ?? newWatch(limit))
    lookAll()
  }

  watchAll(limits)
  return {
    setSuspended(nowSuspended) {
      if (hasStopped || nowSuspended === isSuspended) return
      if (nowSuspended) workedMs = worked()
      else workingSince = clock.monotonicMs()
      isSuspended = nowSuspended
      lookAll()
    },
    touch() {
      touchedAtMs = worked()
    },
    endInvocation() {
      invocationMs = invocation()
      invokedAt = null
      lookAll()
    },
    beginInvocation(isAtItsEnd = false) {
      if (hasStopped) return
      invokedAt = clock.monotonicMs()
      touchedAtMs = worked()
      for (const watch of watches) {
        // A scope that continues without more time than it has used is stopped again.
        if (!isAtItsEnd) watch.isOver = false
        if (watch.limit.meter === 'wallTime') Object.assign(watch, { announced: NOTHING_ANNOUNCED, isClosing: false })
      }
      lookAll()
    },
    setLimits(wanted, wasLifted = false) {
      if (wasLifted) for (const watch of watches) Object.assign(watch, { isClosing: false, isOver: false })
      watchAll(wanted)
    },
    usedMs: used,
    workedMs: worked,
    stop() {
      if (hasStopped) return
      workedMs = worked()
      isSuspended = true
      invocationMs = invocation()
      invokedAt = null
      hasStopped = true
      for (const watch of watches) watch.cancel?.()
    },
  }
}
