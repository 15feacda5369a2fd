import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  COUNTER_METERS,
  type CounterMeter,
  type LimitReading,
  METER_NAMES,
  type ScopeReading,
} from '../../src/core/index.ts'
import { createMemoryStore } from '../../src/stores/memory/index.ts'
import {
  isAssume,
  isOpen,
  isRelease,
  isReserve,
  isSettle,
  playHistory,
  type Snapshot,
  type Step,
} from './play-history.ts'
import { randomHistory } from './random-history.ts'
import { chargeByHand, ReferenceBook } from './reference-book.ts'

const HISTORIES = 2_000

/** Plays thousands of random histories on the memory store and shows each step of each to `check`. */
async function onEveryStep(check: (step: Step, book: ReferenceBook) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomHistory, async (history) => {
      const book = new ReferenceBook()
      for (const step of await playHistory(createMemoryStore(), history)) {
        book.record(step)
        check(step, book)
      }
    }),
    { numRuns: HISTORIES },
  )
}

function pathIn(snapshot: Snapshot, book: ReferenceBook, scopeId: string): readonly ScopeReading[] {
  return book.path(scopeId).flatMap((id) => snapshot.get(id) ?? [])
}

const isCounted = ({ limit }: LimitReading): boolean => (COUNTER_METERS as readonly string[]).includes(limit.meter)
const isEnforced = ({ limit }: LimitReading): boolean => limit.action !== 'warn'

function messageLimits(scope: ScopeReading): readonly LimitReading[] {
  return scope.limits.filter(({ limit }) => limit.meter === 'messages')
}

function balancesOf(snapshot: Snapshot): unknown {
  return [...snapshot.values()].map(({ id, totals, limits }) => ({
    id,
    totals,
    limits: limits.map(({ settled, reserved, held }) => ({ settled, reserved, held })),
  }))
}

describe('the laws of the ledger, on random histories', () => {
  it('law 1: after a grant, settled + reserved + held is within every limit it counts on', async () => {
    let grants = 0
    await onEveryStep((step, book) => {
      if (!isReserve(step) || step.isReplay || step.answer.kind !== 'granted') return
      grants++
      const { amounts } = step.answer
      for (const scope of pathIn(step.after, book, step.request.scopeId)) {
        for (const reading of scope.limits.filter(isCounted).filter(isEnforced)) {
          if ((amounts[reading.limit.meter as CounterMeter] ?? 0) === 0) continue
          expect(reading.settled + reading.reserved + reading.held).toBeLessThanOrEqual(reading.limit.max)
        }
      }
    })
    expect(grants).toBeGreaterThan(HISTORIES)
  })

  it('law 1: a path is charged whole: every counter and window equals the calls added up by hand', async () => {
    await onEveryStep((step, book) => {
      const byHand = [...step.after.values()].map((scope) => ({
        totals: Object.fromEntries(COUNTER_METERS.map((meter) => [meter, book.total(scope.id, meter)])),
        limits: scope.limits.filter(isCounted).map(({ limit }) => book.inWindow(scope.id, limit, step.atMs)),
      }))
      const inStore = [...step.after.values()].map(({ totals, limits }) => ({
        totals,
        limits: limits.filter(isCounted).map(({ settled, reserved }) => ({ settled, reserved })),
      }))
      expect(inStore).toEqual(byHand)
    })
  })

  it('promise 2: a call is refused only if it does not fit, and for good only if nothing in flight can help', async () => {
    const seen = { granted: 0, later: 0, never: 0 }
    await onEveryStep((step, book) => {
      if (!isReserve(step) || step.isReplay) return
      if (step.answer.kind !== 'granted' && step.answer.kind !== 'breached') return
      const { amounts, elastic, closing, messages, scopeId } = step.request
      const least = (meter: CounterMeter): number => {
        const rate = elastic?.rates.find((each) => each.meter === meter)
        const cut = rate === undefined ? 0 : Math.ceil(((elastic?.least ?? 0) * rate.numerator) / rate.denominator)
        return (amounts[meter] ?? 0) + cut
      }
      let fitsNow = true
      let fitsLater = true
      for (const scope of pathIn(step.before, book, scopeId)) {
        for (const { limit, settled, reserved, held } of scope.limits.filter(isCounted).filter(isEnforced)) {
          const asked = least(limit.meter as CounterMeter)
          if (asked === 0) continue
          const certain = ['toolCalls', 'modelCalls', 'spawns'].includes(limit.meter) ? reserved : 0
          if (settled + reserved + held + asked > limit.max) fitsNow = false
          if (settled + certain + held + asked > limit.max) fitsLater = false
        }
      }
      const nearest = pathIn(step.before, book, scopeId).findLast((scope) => messageLimits(scope).length > 0)
      const isFull = (nearest === undefined ? [] : messageLimits(nearest)).some((reading) => {
        return isEnforced(reading) && (messages ?? 0) >= reading.limit.max && messages !== undefined
      })
      if (isFull && closing !== true) {
        fitsNow = false
        fitsLater = false
      }
      // A closing call is decided without its own hold, which no reading shows apart: it may only be granted more.
      if (step.answer.kind === 'granted') {
        seen.granted++
        if (closing !== true) expect(fitsNow).toBe(true)
      } else if (step.answer.mayFitLater) {
        seen.later++
        if (elastic === undefined) expect(fitsNow).toBe(false)
        if (closing !== true) expect(fitsLater).toBe(true)
      } else {
        seen.never++
        expect(fitsLater).toBe(false)
      }
    })
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(200)
  })

  it('law 2: breaches are listed root first, by meter within a scope, each of a limit that is really short', async () => {
    let several = 0
    await onEveryStep((step, book) => {
      if (!isReserve(step) || step.answer.kind !== 'breached') return
      const path = book.path(step.request.scopeId)
      const places = step.answer.breaches.map(({ scope, meter }) => [path.indexOf(scope), METER_NAMES.indexOf(meter)])
      expect(places).toEqual(places.toSorted(([a, b], [c, d]) => a! - c! || b! - d!))
      expect(places.length).toBeGreaterThan(0)
      if (places.length > 1) several++
      for (const breach of step.answer.breaches) {
        expect(breach.asked).toBeGreaterThan(breach.remaining)
        expect(breach.action).not.toBe('warn')
      }
    })
    expect(several).toBeGreaterThan(100)
  })

  it('law 3: a breach changes nothing', async () => {
    await onEveryStep((step) => {
      const isRefused = isReserve(step) ? step.answer.kind !== 'granted' : isOpen(step) && step.answer.kind !== 'opened'
      if (isRefused) expect(balancesOf(step.after)).toEqual(balancesOf(step.before))
    })
  })

  it('law 3: whatever is sent again, or contradicts what was settled, changes nothing', async () => {
    const seen = new Map<string, number>()
    await onEveryStep((step) => {
      if (!isSettle(step) && !isRelease(step) && !isReserve(step)) return
      const { kind } = step.answer
      const isRepeated = kind === 'granted' ? step.answer.duplicate : kind === 'duplicate' || kind === 'conflict'
      if (!isRepeated) return
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      expect(balancesOf(step.after)).toEqual(balancesOf(step.before))
    })
    for (const kind of ['granted', 'duplicate', 'conflict']) expect(seen.get(kind)).toBeGreaterThan(100)
  })

  it('law 4: what is unknown or malformed is charged at the reserved worst case, with an anomaly where malformed', async () => {
    let anomalies = 0
    await onEveryStep((step, book) => {
      if (!isSettle(step) || (step.answer.kind !== 'settled' && step.answer.kind !== 'corrected')) return
      const entry = book.entries.get(step.request.reservationId)!
      const expected = chargeByHand(entry.reserved, step.request.actual)
      for (const meter of COUNTER_METERS) expect(step.answer.charged[meter] ?? 0).toBe(expected[meter])
      const malformed = Object.entries(step.request.actual ?? {}).filter(([, value]) => {
        return value !== null && !(Number.isSafeInteger(value) && (value as number) >= 0)
      })
      expect(step.answer.anomalies.map(({ meter }) => meter).toSorted()).toEqual(
        malformed.map(([meter]) => meter).toSorted(),
      )
      anomalies += malformed.length
    })
    expect(anomalies).toBeGreaterThan(100)
  })

  it('law 5: every reservation ends at most once, also when its holder died', async () => {
    let corrected = 0
    const checkHistory = async (steps: readonly Step[]): Promise<void> => {
      const ends = new Map<string, string[]>()
      for (const step of steps) {
        if (isAssume(step))
          for (const { reservationId } of step.answer.reservations) push(ends, reservationId, 'assumed')
        if (isSettle(step) || isRelease(step)) {
          const { kind } = step.answer
          if (kind === 'settled' || kind === 'corrected' || kind === 'released')
            push(ends, step.request.reservationId, kind)
        }
      }
      for (const kinds of ends.values()) {
        if (kinds.includes('corrected')) corrected++
        expect([['settled'], ['released'], ['assumed'], ['assumed', 'corrected']]).toContainEqual(kinds)
      }
    }
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => checkHistory(await playHistory(createMemoryStore(), history))),
      { numRuns: HISTORIES },
    )
    expect(corrected).toBeGreaterThan(50)
  })

  it('law 6: totals never shrink but where the truth corrects what was assumed', async () => {
    await onEveryStep((step) => {
      if ((isSettle(step) || isRelease(step)) && step.answer.kind === 'corrected') return
      const shrunk = [...step.before].filter(([id, { totals }]) => {
        const { totals: after } = step.after.get(id)!
        return COUNTER_METERS.some((meter) => after[meter].settled < totals[meter].settled)
      })
      expect(shrunk).toEqual([])
    })
  })

  it('holds never take more than half of a limit, nor what is spent or reserved', async () => {
    let holds = 0
    await onEveryStep((step) => {
      // A hold is sized in the latest window, which is not the one that is read where the clock went back.
      if (step.request.call !== 'hold' || step.isReplay || !step.isLatest) return
      for (const [id, after] of step.after) {
        for (const [place, reading] of after.limits.entries()) {
          const before = step.before.get(id)!.limits[place]!
          if (reading.held <= before.held) continue
          holds++
          expect(reading.held).toBeLessThanOrEqual(reading.limit.max / 2)
          expect(reading.settled + reading.reserved + reading.held).toBeLessThanOrEqual(reading.limit.max)
          expect(['terminate', 'ask']).toContain(reading.limit.action)
        }
      }
    })
    expect(holds).toBeGreaterThan(100)
  })

  it('holds and places are all free again when every scope has ended, and what is reserved is what is in flight', async () => {
    let heldBefore = 0
    await fc.assert(
      fc.asyncProperty(randomHistory, async (history) => {
        const store = createMemoryStore()
        const steps = await playHistory(store, history)
        const last = steps.at(-1)
        if (last === undefined) return
        const { after, atMs } = last
        heldBefore += [...after.values()].flatMap(({ limits }) => limits).filter(({ held }) => held > 0).length
        for (const scopeId of [...after.keys()].reverse()) await store.close({ scopeId, status: 'stopped', atMs })
        for (const scopeId of after.keys()) {
          const reading = (await store.read({ scopeId, atMs }))!.at(-1)!
          expect([reading.openChildren, ...reading.limits.map(({ held }) => held)].every((value) => value === 0)).toBe(
            true,
          )
        }
      }),
      { numRuns: HISTORIES },
    )
    expect(heldBefore).toBeGreaterThan(100)
  })

  it('spawns: a group is opened whole or not at all, and never past spawns, concurrency or depth', async () => {
    let refused = 0
    await onEveryStep((step, book) => {
      if (!isOpen(step) || step.isReplay) return
      const opened = step.request.scopes.filter(({ id }) => step.after.has(id)).length
      expect([0, step.request.scopes.length]).toContain(opened)
      if (step.answer.kind === 'refused') refused++
      if (step.answer.kind !== 'opened' || step.request.parentId === null) return
      const path = pathIn(step.after, book, step.request.parentId)
      for (const scope of path) {
        for (const { limit, settled } of scope.limits.filter(isEnforced)) {
          if (limit.meter === 'spawns') expect(settled).toBeLessThanOrEqual(limit.max)
          if (limit.meter === 'depth') {
            const deepest = Math.max(...step.request.scopes.map(({ id }) => step.after.get(id)!.level))
            expect(deepest - Math.max(0, scope.level)).toBeLessThanOrEqual(Math.max(limit.max, 0))
          }
          if (limit.meter === 'concurrency' && scope === path.at(-1)) {
            expect(scope.openChildren).toBeLessThanOrEqual(limit.max)
          }
        }
      }
    })
    expect(refused).toBeGreaterThan(100)
  })
})

describe('a million rows', () => {
  it('D5: have exact totals', async () => {
    const store = createMemoryStore()
    for (const [parentId, id] of [
      [null, 'team'],
      ['team', 'run'],
    ] as const) {
      await store.open({ parentId, scopes: [{ id, name: id, kind: 'agent', owner: null, limits: [] }], atMs: 0 })
    }
    let expected = 0n
    let seed = 42
    for (let call = 0; call < 1_000_000; call++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const reservationId = String(call)
      await store.reserve({ reservationId, scopeId: 'run', amounts: { cost: 1 }, holder: 'test', atMs: 0 })
      await store.settle({ reservationId, actual: { cost: seed }, atMs: 0 })
      expected += BigInt(seed)
    }
    const [team, run] = (await store.read({ scopeId: 'run', atMs: 0 }))!
    expect(BigInt(team!.totals.cost.settled)).toBe(expected)
    expect(BigInt(run!.totals.cost.settled)).toBe(expected)
  })
})

function push(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value])
}
