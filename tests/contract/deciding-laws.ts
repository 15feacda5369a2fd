import { expect } from 'vitest'
import { type CounterMeter, type LimitReading, METER_NAMES, type ScopeReading } from '../../src/core/index.ts'
import { isCounted, isEnforced, type Law, pathIn } from './law.ts'
import { isOpen, isReserve } from './play-history.ts'

/** The laws about what is admitted, and what is held back. */
export const DECIDING_LAWS: readonly Law[] = [
  {
    title: 'promise 2: a call is refused only if it does not fit, and for good only if nothing in flight can help',
    seen: { granted: 1_000, later: 100, never: 100 },
    checkStep(step, book, seen) {
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
        seen('granted')
        if (closing !== true) expect(fitsNow).toBe(true)
      } else if (step.answer.mayFitLater) {
        seen('later')
        if (elastic === undefined) expect(fitsNow).toBe(false)
        if (closing !== true) expect(fitsLater).toBe(true)
      } else {
        seen('never')
        expect(fitsLater).toBe(false)
      }
    },
  },
  {
    title: 'law 2: breaches are listed root first, by meter within a scope, each of a limit that is really short',
    seen: { 'several at once': 50 },
    checkStep(step, book, seen) {
      if (!isReserve(step) || step.answer.kind !== 'breached') return
      const path = book.path(step.request.scopeId)
      const places = step.answer.breaches.map(({ scope, meter }) => [path.indexOf(scope), METER_NAMES.indexOf(meter)])
      expect(places).toEqual(places.toSorted(([a, b], [c, d]) => a! - c! || b! - d!))
      expect(places.length).toBeGreaterThan(0)
      if (places.length > 1) seen('several at once')
      for (const breach of step.answer.breaches) {
        expect(breach.asked).toBeGreaterThan(breach.remaining)
        expect(breach.action).not.toBe('warn')
      }
    },
  },
  {
    title: 'holds never take more than half of a limit, nor what is spent or reserved',
    seen: { hold: 50 },
    checkStep(step, _, seen) {
      // A hold is sized in the latest window, which is not the one that is read where the clock went back.
      if (step.request.call !== 'hold' || step.isReplay || !step.isLatest) return
      for (const [id, after] of step.after) {
        for (const [place, reading] of after.limits.entries()) {
          const before = step.before.get(id)!.limits[place]!
          if (reading.held <= before.held) continue
          seen('hold')
          expect(reading.held).toBeLessThanOrEqual(reading.limit.max / 2)
          expect(reading.settled + reading.reserved + reading.held).toBeLessThanOrEqual(reading.limit.max)
          expect(['terminate', 'ask']).toContain(reading.limit.action)
        }
      }
    },
  },
  {
    title: 'holds and places are all free again when every scope has ended',
    seen: { hold: 50, place: 50 },
    async checkHistory(steps, store, seen) {
      const last = steps.at(-1)
      if (last === undefined) return
      const { after, atMs } = last
      for (const { openChildren, limits } of after.values()) {
        if (openChildren > 0) seen('place')
        if (limits.some(({ held }) => held > 0)) seen('hold')
      }
      for (const scopeId of [...after.keys()].reverse()) await store.close({ scopeId, status: 'stopped', atMs })
      for (const { openChildren, limits } of await store.list({ standing: 'all', atMs })) {
        expect([openChildren, ...limits.map(({ held }) => held)].every((value) => value === 0)).toBe(true)
      }
    },
  },
  {
    title: 'spawns: a group is opened whole or not at all, and never past spawns, concurrency or depth',
    seen: { refused: 50, opened: 500 },
    checkStep(step, book, seen) {
      if (!isOpen(step) || step.isReplay || step.request.scopes.some(({ id }) => step.before.has(id))) return
      const opened = step.request.scopes.filter(({ id }) => step.after.has(id)).length
      expect([0, step.request.scopes.length]).toContain(opened)
      if (step.answer.kind === 'refused') seen('refused')
      if (step.answer.kind !== 'opened' || step.request.parentId === null) return
      seen('opened')
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
    },
  },
]

function messageLimits(scope: ScopeReading): readonly LimitReading[] {
  return scope.limits.filter(({ limit }) => limit.meter === 'messages')
}
