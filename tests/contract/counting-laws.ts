import { expect } from 'vitest'
import { balanceKey, COUNTER_METERS, type CounterMeter, type LimitReading } from '../../src/core/index.ts'
import { balancesOf, expectEqual, isCounted, isEnforced, type Law, pathIn } from './law.ts'
import { isAssume, isOpen, isRelease, isReserve, isSettle } from './play-history.ts'
import { chargeByHand } from './reference-book.ts'

/** The laws about what is counted, and that it is counted once. */
export const COUNTING_LAWS: readonly Law[] = [
  {
    title: 'law 1: after a grant, settled + reserved + held is within every limit it counts on',
    seen: { grant: 1_000, hold: 100 },
    checkStep(step, book, seen) {
      if (!isReserve(step) || step.isReplay || step.answer.kind !== 'granted') return
      seen('grant')
      const { amounts } = step.answer
      const heldBefore = ({ limit }: LimitReading, scopeId: string): number | undefined => {
        const key = balanceKey(scopeId, limit)
        return step.before.get(scopeId)?.limits.find((each) => balanceKey(scopeId, each.limit) === key)?.held
      }
      for (const scope of pathIn(step.after, book, step.request.scopeId)) {
        for (const reading of scope.limits.filter(isCounted).filter(isEnforced)) {
          const hasTakenHold = reading.held > (heldBefore(reading, scope.id) ?? 0)
          if ((amounts[reading.limit.meter as CounterMeter] ?? 0) === 0 && !hasTakenHold) continue
          if (hasTakenHold) seen('hold')
          expect(reading.settled + reading.reserved + reading.held).toBeLessThanOrEqual(reading.limit.max)
        }
      }
    },
  },
  {
    title: 'law 1: every counter and window on a path equals the sum of its calls',
    seen: { scope: 10_000 },
    checkStep(step, book, seen) {
      for (const { id, totals, limits } of step.after.values()) {
        seen('scope')
        for (const meter of COUNTER_METERS) {
          const { settled, reserved } = book.total(id, meter)
          if (totals[meter].settled !== settled || totals[meter].reserved !== reserved) {
            expect({ id, meter, ...totals[meter] }).toEqual({ id, meter, settled, reserved })
          }
        }
        for (const reading of limits.filter(isCounted)) {
          const { settled, reserved } = book.inWindow(id, reading.limit, step.atMs)
          if (reading.settled !== settled || reading.reserved !== reserved) {
            const { limit } = reading
            const inStore = { id, limit, settled: reading.settled, reserved: reading.reserved }
            expect(inStore).toEqual({ id, limit, settled, reserved })
          }
        }
      }
    },
  },
  {
    title: 'law 3: a breach changes nothing, and emits no event if the caller may ask for less',
    seen: { refusal: 500, tentative: 100 },
    checkStep(step, _, seen) {
      const isRefused = isReserve(step) ? step.answer.kind !== 'granted' : isOpen(step) && step.answer.kind !== 'opened'
      if (!isRefused) return
      seen('refusal')
      if (isReserve(step) && step.request.tentative === true && step.answer.kind === 'breached') {
        seen('tentative')
        expectEqual(step.answer.newlyExceeded, [])
      }
      expectEqual(balancesOf(step.after), balancesOf(step.before))
    },
  },
  {
    title: 'law 3: repeating a request, or contradicting a settlement, changes nothing',
    seen: { granted: 50, duplicate: 50, conflict: 50 },
    checkStep(step, _, seen) {
      if (!isSettle(step) && !isRelease(step) && !isReserve(step)) return
      const { kind } = step.answer
      const isRepeated = kind === 'granted' ? step.answer.duplicate : kind === 'duplicate' || kind === 'conflict'
      if (!isRepeated) return
      seen(kind)
      expectEqual(balancesOf(step.after), balancesOf(step.before))
    },
  },
  {
    title:
      'law 4: unknown or malformed usage is charged at the reserved worst case, with an anomaly if it is malformed',
    seen: { anomaly: 50 },
    checkStep(step, book, seen) {
      if (!isSettle(step) || !('anomalies' in step.answer)) return
      const entry = book.entries.get(step.request.reservationId)!
      const expected = chargeByHand(entry.reserved, step.request.actual)
      for (const meter of COUNTER_METERS) expectEqual(step.answer.charged[meter] ?? 0, expected[meter])
      const malformed = Object.entries(step.request.actual ?? {}).filter(([, value]) => {
        return value !== null && !(Number.isSafeInteger(value) && (value as number) >= 0)
      })
      const told = step.answer.anomalies.map(({ meter }) => meter).toSorted()
      expect(told).toEqual(malformed.map(([meter]) => meter).toSorted())
      for (const _ of malformed) seen('anomaly')
    },
  },
  {
    title: 'law 5: every reservation ends at most once, even if its holder died or its call was cut',
    seen: { corrected: 25, guessed: 25 },
    async checkHistory(steps, _, seen) {
      const ends = new Map<string, string[]>()
      const end = (id: string, kind: string): unknown => ends.set(id, [...(ends.get(id) ?? []), kind])
      for (const step of steps) {
        if (isAssume(step)) for (const { reservationId } of step.answer.reservations) end(reservationId, 'assumed')
        if (!isSettle(step) && !isRelease(step)) continue
        const { kind } = step.answer
        const isGuess = isSettle(step) && step.request.assumed === true
        if (kind === 'corrected') end(step.request.reservationId, isGuess ? 'guessed' : 'corrected')
        else if (kind === 'settled' || kind === 'assumed' || kind === 'released') end(step.request.reservationId, kind)
      }
      for (const kinds of ends.values()) {
        for (const kind of ['corrected', 'guessed']) if (kinds.includes(kind)) seen(kind)
        expect(kinds.join(' ')).toMatch(/^(settled|released|assumed( guessed)*( corrected)?)$/)
      }
    },
  },
  {
    title: 'law 6: totals only shrink when an assumed charge is corrected',
    seen: { correction: 25 },
    checkStep(step, _, seen) {
      if ((isSettle(step) || isRelease(step)) && step.answer.kind === 'corrected') return seen('correction')
      const shrunk = [...step.before].filter(([id, { totals }]) => {
        const { totals: after } = step.after.get(id)!
        return COUNTER_METERS.some((meter) => after[meter].settled < totals[meter].settled)
      })
      expectEqual(shrunk, [])
    },
  },
]
