import {
  type Amounts,
  type BeatOutcome,
  COUNTER_METERS,
  type CounterMeter,
  compareLimits,
  type Limit,
  type OpenOutcome,
  type Period,
  type ScopeKind,
  type Window,
  windowAt,
} from '../../src/core/index.ts'
import { HoldBook } from './hold-book.ts'
import { isAssume, isOpen, isRelease, isReserve, isSettle, type Step } from './play-history.ts'

interface Series {
  /** The step at which counting began. */
  readonly since: number
  readonly scopeId: string
  readonly limit: Limit
  /** The same period in another zone that its first window took over, and when. */
  readonly from: Series | null
  readonly writtenAtMs: number
}

interface Entry {
  readonly id: string
  readonly scopeId: string
  readonly atMs: number
  /** The step at which it was made. */
  readonly madeAt: number
  readonly holder: string
  readonly reserved: Amounts
  charged: Amounts | null
  state: 'open' | 'assumed' | 'finished'
}

/**
 * The truth about a history, worked out the slow way: a list of calls, added up anew for every question. It shares
 * nothing with the stores but the meaning of the answers and the calendar.
 */
export class ReferenceBook {
  readonly entries = new Map<string, Entry>()
  /** Who holds what for a closing call. */
  readonly holds = new HoldBook()
  readonly #parents = new Map<string, string | null>()
  readonly #spawns: { scopeId: string; atMs: number; madeAt: number }[] = []
  /** Every counter with a period that a limit was ever written for. */
  readonly #series = new Map<string, Series>()
  readonly #beats = new Map<string, number>()
  #step = 0

  /** Takes in what the store says it did. */
  record(step: Step): void {
    this.#step++
    if (isOpen(step) && step.answer.kind !== 'dead') this.#recordOpen(step.request, step.answer, step.before)
    for (const [id, { revision, limits }] of step.after) {
      if (step.before.get(id)?.revision === revision) continue
      const written = limits.map(({ limit }) => limit)
      this.#recordLimits(id, written, step.request.atMs)
    }
    if (isReserve(step) && step.answer.kind === 'granted' && !step.answer.duplicate) {
      const { reservationId, scopeId, atMs, holder } = step.request
      const entry = { id: reservationId, scopeId, atMs, madeAt: this.#step, holder, reserved: step.answer.amounts }
      this.entries.set(reservationId, { ...entry, charged: null, state: 'open' })
    }
    if (isSettle(step) || isRelease(step)) {
      const entry = this.entries.get(step.request.reservationId)
      if (entry !== undefined && entry.state !== 'finished') {
        entry.charged = isRelease(step) ? {} : chargeByHand(entry.reserved, step.request.actual)
        entry.state = isSettle(step) && step.request.assumed === true ? 'assumed' : 'finished'
      }
    }
    if (step.request.call === 'beat' && (step.answer as BeatOutcome).kind === 'beating') {
      this.#beats.set(step.request.holder, this.#beatsOf(step.request.holder) + 1)
    }
    if (
      isAssume(step) &&
      (step.request.beats ?? this.#beatsOf(step.request.holder)) === this.#beatsOf(step.request.holder)
    ) {
      for (const entry of this.entries.values()) {
        if (entry.holder !== step.request.holder || entry.state !== 'open') continue
        entry.charged = entry.reserved
        entry.state = 'assumed'
      }
    }
    this.holds.record(step, this.#holderIn(step))
  }

  /** The one scope whose hold a step may change; `null` where it may be several. */
  #holderIn({ request }: Step): string | null {
    if (request.call === 'reserve' || request.call === 'hold' || request.call === 'resume') return request.scopeId
    if (request.call !== 'settle' && request.call !== 'release') return null
    return this.entries.get(request.reservationId)?.scopeId ?? null
  }

  #recordOpen(
    request: { parentId: string | null; scopes: readonly { id: string; kind: ScopeKind }[]; atMs: number },
    answer: OpenOutcome,
    before: Step['before'],
  ): void {
    if (answer.kind !== 'opened') return
    for (const { id, kind } of request.scopes) {
      if (before.has(id)) continue
      this.#parents.set(id, request.parentId)
      // A group starts agents, and is not one itself.
      if (request.parentId !== null && kind !== 'group') {
        this.#spawns.push({ scopeId: request.parentId, atMs: request.atMs, madeAt: this.#step })
      }
    }
  }

  #recordLimits(scopeId: string, limits: readonly Limit[], atMs: number): void {
    for (const limit of limits.toSorted(compareLimits)) {
      const key = seriesKey(scopeId, limit)
      if (limit.per === null || this.#series.has(key)) continue
      const alike = [...this.#series.values()].filter((series) => {
        return series.scopeId === scopeId && series.limit.meter === limit.meter && series.limit.per === limit.per
      })
      const used = (series: Series): number => {
        const { settled, reserved } = this.inWindow(scopeId, series.limit, atMs)
        return settled + reserved
      }
      const from = alike.reduce<Series | null>((fullest, each) => {
        return fullest === null || used(each) > used(fullest) ? each : fullest
      }, null)
      this.#series.set(key, { since: this.#step, scopeId, limit, from, writtenAtMs: atMs })
    }
  }

  #beatsOf(holder: string): number {
    return this.#beats.get(holder) ?? 0
  }

  /** From the root down to the scope. */
  path(scopeId: string): readonly string[] {
    const parent = this.#parents.get(scopeId)
    return parent === null || parent === undefined ? [scopeId] : [...this.path(parent), scopeId]
  }

  /** What was settled and reserved on a scope over its whole life. */
  total(scopeId: string, meter: CounterMeter): { settled: number; reserved: number } {
    return this.#sum(scopeId, meter, () => true)
  }

  /** The same in the window of the limit at `atMs`. */
  inWindow(scopeId: string, limit: Limit, atMs: number): { settled: number; reserved: number } {
    if (limit.per === null) return this.total(scopeId, limit.meter as CounterMeter)
    const series = this.#series.get(seriesKey(scopeId, limit))!
    const counts = factsIn(series, atMs, Number.POSITIVE_INFINITY)
    return this.#sum(scopeId, limit.meter as CounterMeter, counts)
  }

  #sum(scopeId: string, meter: CounterMeter, counts: (fact: { atMs: number; madeAt: number }) => boolean) {
    let settled = 0
    let reserved = 0
    for (const entry of this.entries.values()) {
      if (!this.path(entry.scopeId).includes(scopeId) || !counts(entry)) continue
      if (entry.charged === null) reserved += entry.reserved[meter] ?? 0
      else settled += entry.charged[meter] ?? 0
    }
    if (meter === 'spawns') {
      settled += this.#spawns.filter((spawn) => this.path(spawn.scopeId).includes(scopeId) && counts(spawn)).length
    }
    return { settled, reserved }
  }
}

interface Fact {
  readonly atMs: number
  readonly madeAt: number
}

/** Which facts, made up to a step, count in the window of a series at a time: its own, and those it took over. */
function factsIn(series: Series, atMs: number, upTo: number): (fact: Fact) => boolean {
  const { limit, since, from, writtenAtMs } = series
  const { startMs, endMs } = knownWindow(limit.per!, limit.timeZone, atMs)
  const isWithin = (at: number): boolean => at >= startMs && at < endMs
  const takenOver = from !== null && isWithin(writtenAtMs) ? factsIn(from, writtenAtMs, since) : () => false
  return (fact) =>
    (fact.madeAt > since && fact.madeAt <= upTo && isWithin(fact.atMs)) || (fact.madeAt <= upTo && takenOver(fact))
}

// Finding the midnights of a zone is most of the work of a history, and few times are asked for again and again.
const windows = new Map<string, Window>()

function knownWindow(per: Period, timeZone: string, atMs: number): Window {
  const key = `${per} ${timeZone} ${atMs}`
  const known = windows.get(key)
  if (known !== undefined) return known
  if (windows.size > 10_000) windows.clear()
  const window = windowAt(per, timeZone, atMs)
  windows.set(key, window)
  return window
}

function seriesKey(scopeId: string, { meter, per, timeZone }: Limit): string {
  return `${scopeId} ${meter} ${per} ${per === 'hour' ? 'UTC' : timeZone}`
}

/** Law 4 by hand: a number that can be an amount counts, anything else is the reserved worst case. */
export function chargeByHand(reserved: Amounts, actual: unknown): Amounts {
  const reported = (actual ?? {}) as Record<string, unknown>
  const charged: Partial<Record<CounterMeter, number>> = {}
  for (const meter of COUNTER_METERS) {
    const value = reported[meter]
    const isAmount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 53
    charged[meter] = isAmount ? value : (reserved[meter] ?? 0)
  }
  return charged
}
