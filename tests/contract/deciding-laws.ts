import { expect } from 'vitest'
import { type CounterMeter, type LimitReading, METER_NAMES, type ScopeReading } from '../../src/core/index.ts'
import {
  askedWith,
  holdOf,
  isClosed,
  isCount,
  isCrowdedByHand,
  keyOf,
  roomByHand,
  smallestWith,
} from './closing-by-hand.ts'
import { isCounted, isEnforced, type Law, pathIn } from './law.ts'
import { isOpen, isReserve } from './play-history.ts'

/** The laws about what is admitted, and what is held back. */
export const DECIDING_LAWS: readonly Law[] = [
  {
    title:
      'promise 2: a call is refused only if it does not fit, and for good only if nothing in flight can free enough',
    seen: {
      granted: 1_000,
      later: 100,
      never: 100,
      'granted with a closing call': 500,
      'breached with a closing call': 500,
    },
    checkStep(step, book, seen) {
      if (!isReserve(step) || step.isReplay) return
      if (step.answer.kind !== 'granted' && step.answer.kind !== 'breached') return
      const { elastic, closing, messages, scopeId } = step.request
      const hold = holdOf(step.request)
      let fitsNow = true
      let fitsLater = true
      for (const scope of pathIn(step.before, book, scopeId)) {
        for (const reading of scope.limits.filter(isCounted).filter(isEnforced)) {
          const asked = askedWith(step.request, reading.limit.meter as CounterMeter, elastic?.least ?? 0)
          if (asked === 0) continue
          const own = hold === undefined ? 0 : book.holds.ownBefore(scopeId, keyOf(scope.id, reading))
          if (own === null) return
          const room = roomByHand(reading, asked, hold, own)
          fitsNow &&= room.fitsNow
          fitsLater &&= room.fitsLater
        }
      }
      if (hold !== undefined) seen(`${step.answer.kind} with a closing call`)
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
    title: 'law 2: breaches are listed root first, by meter within a scope, and each limit is really short',
    seen: { 'several at once': 50, 'the half is taken': 5 },
    checkStep(step, book, seen) {
      if (!isReserve(step) || step.answer.kind !== 'breached') return
      const path = book.path(step.request.scopeId)
      const places = step.answer.breaches.map(({ scope, meter }) => [path.indexOf(scope), METER_NAMES.indexOf(meter)])
      expect(places).toEqual(places.toSorted(([a, b], [c, d]) => a! - c! || b! - d!))
      expect(places.length).toBeGreaterThan(0)
      if (places.length > 1) seen('several at once')
      const hold = holdOf(step.request)
      for (const breach of step.answer.breaches) {
        expect(breach.action).not.toBe('warn')
        const reading = step.before.get(breach.scope)!.limits.find((each) => keyOf(breach.scope, each) === breach.key)!
        const own = book.holds.ownBefore(step.request.scopeId, breach.key) ?? 0
        const isCrowded = hold !== undefined && isClosed(reading) && isCrowdedByHand(reading, hold, reading.held - own)
        if (isCrowded) seen('the half is taken')
        else expect(breach.asked).toBeGreaterThan(breach.remaining)
      }
    },
  },
  {
    title: 'holds never take what is settled or reserved, nor more than half of a limit on a count',
    seen: { hold: 50 },
    checkStep(step, _, seen) {
      // A hold is sized in the latest window, which is not the one that is read where the clock went back.
      if (step.request.call !== 'hold' || step.isReplay || !step.isLatest) return
      for (const [id, after] of step.after) {
        for (const [place, reading] of after.limits.entries()) {
          const before = step.before.get(id)!.limits[place]!
          if (reading.held <= before.held) continue
          seen('hold')
          if (isCount(reading.limit.meter)) expect(reading.held).toBeLessThanOrEqual(reading.limit.max / 2)
          expect(reading.settled + reading.reserved + reading.held).toBeLessThanOrEqual(reading.limit.max)
          expect(['terminate', 'ask']).toContain(reading.limit.action)
        }
      }
    },
  },
  {
    title: 'a grant updates the hold of its conversation: at least the smallest closing call after that answer',
    seen: { held: 100, 'for a longer answer': 10, 'beside the holds of others': 5 },
    checkStep(step, book, seen) {
      const hold = isReserve(step) ? holdOf(step.request) : undefined
      if (!isReserve(step) || hold === undefined || step.isReplay || !step.isLatest) return
      if (step.answer.kind !== 'granted' || step.after.get(step.request.scopeId)!.isOrphaned) return
      const { scopeId, elastic } = step.request
      const least = elastic?.least ?? 0
      for (const scope of pathIn(step.after, book, scopeId)) {
        for (const reading of scope.limits.filter(isCounted).filter(isClosed)) {
          const meter = reading.limit.meter as CounterMeter
          const own = book.holds.own(scopeId, keyOf(scope.id, reading))
          if (isCount(meter) || own === null || askedWith(step.request, meter, least) === 0) continue
          const smallest = smallestWith(hold, meter, step.answer.units - least)
          seen('held')
          if (smallest > smallestWith(hold, meter, 0)) seen('for a longer answer')
          if (reading.held > own) seen('beside the holds of others')
          expect([meter, own, own >= smallest]).toEqual([meter, own, true])
        }
      }
    },
  },
  {
    title: 'holds and places are free again when every scope has ended',
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
