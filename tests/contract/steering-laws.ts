import { expect } from 'vitest'
import { balanceKey, isEnded, type Limit, type ScopeReading } from '../../src/core/index.ts'
import { expectEqual, type Law, pathIn } from './law.ts'
import { isAnswer, isOpen, isReserve, isResume } from './play-history.ts'

/** The laws about scopes that are paused, resumed, raised and ended. */
export const STEERING_LAWS: readonly Law[] = [
  {
    title: 'nothing is admitted at or below an ended or paused scope, except closing calls below a pause',
    seen: { paused: 50, closed: 50, 'closing at a pause': 5 },
    checkStep(step, book, seen) {
      if (step.isReplay || (!isReserve(step) && !isOpen(step))) return
      const isClosing = isReserve(step) && step.request.closing === true
      const scopeId = isReserve(step) ? step.request.scopeId : step.request.parentId
      if (scopeId === null || (isOpen(step) && step.request.scopes.some(({ id }) => step.before.has(id)))) return
      const path = pathIn(step.before, book, scopeId)
      const isPaused = ({ pause }: ScopeReading): boolean => pause !== null && pause.requestId === null
      const block = path.find((scope) => isEnded(scope.status) || (!isClosing && isPaused(scope)))
      const { answer } = step
      if (answer.kind === 'dead') return
      if (answer.kind === 'paused' || answer.kind === 'closed') {
        seen(answer.kind)
        expect(answer.scopeId).toBe(block?.id)
        expect(answer.kind).toBe(block!.pause === null ? 'closed' : 'paused')
      } else {
        expect(block).toBe(undefined)
        if (isClosing && path.some(isPaused)) seen('closing at a pause')
      }
    },
  },
  {
    title: 'a scope is resumed once, from its last state, with all its counters',
    seen: { 'after a pause': 50, 'after a death': 5, refused: 100 },
    checkStep(step, _, seen) {
      if (!isResume(step)) return
      const { scopeId, owner, requestId } = step.request
      const before = step.before.get(scopeId)!
      if (step.answer.kind !== 'resumed') {
        seen('refused')
        expectEqual([...step.after], [...step.before])
        return
      }
      seen(before.pause === null ? 'after a death' : 'after a pause')
      expect(before.isOrphaned || before.status === 'paused').toBe(true)
      expect(before.isOrphaned && owner === undefined).toBe(false)
      if (requestId !== undefined) expect(before.pause?.requestId).toBe(requestId)
      expect(step.answer.pause).toEqual(before.pause)
      expect(step.after.get(scopeId)).toMatchObject({
        status: 'running',
        pause: null,
        isOrphaned: false,
        owner: owner ?? before.owner,
        activeMs: before.activeMs,
        totals: before.totals,
        revision: before.revision,
      })
    },
  },
  {
    title: 'a limit is only ever what a user wrote, plus exactly what was granted',
    seen: { raised: 25, 'answered without effect': 25 },
    checkStep(step, _, seen) {
      if (step.request.call === 'setLimits') return
      // A process that adopts a scope may bring tighter ceilings.
      const adopted = isOpen(step) && step.answer.kind === 'opened' ? step.answer.adopted : []
      const answered = isAnswer(step) && step.answer.kind === 'answered' ? step.answer.request : null
      if (isAnswer(step)) seen(answered?.granted == null ? 'answered without effect' : 'raised')
      if (isAnswer(step) && answered?.granted != null) {
        const { granted, asked } = answered
        expect([granted, granted >= 1 && granted <= (step.request.amount ?? asked)]).toEqual([granted, true])
      }
      for (const [id, { limits }] of step.before) {
        if (adopted.includes(id)) continue
        const expected = limits.map(({ limit }) => {
          const isMeant = answered !== null && balanceKey(id, limit) === answered.key
          return limit.max + (isMeant ? (answered.granted ?? 0) : 0)
        })
        const written = step.after.get(id)!.limits.map(({ limit }) => limit.max)
        expectEqual(written, expected)
      }
    },
  },
  {
    title: 'no limit is above a ceiling of its scope, and ceilings only tighten',
    seen: { 'a limit at its ceiling': 200, tightened: 5 },
    checkStep(step, _, seen) {
      for (const [id, { limits, ceilings }] of step.after) {
        for (const ceiling of ceilings) {
          const bounded = limits.filter(({ limit }) => isBounded(limit, ceiling)).map(({ limit }) => limit.max)
          if (bounded.some((max) => max === ceiling.max)) seen('a limit at its ceiling')
          // A limit at or below it stops wherever it does, or it stands among the limits itself.
          const isHeld = limits.some(({ limit }) => isBounded(ceiling, limit) && limit.max <= ceiling.max)
          expectEqual([isHeld, bounded.filter((max) => max > ceiling.max)], [true, []])
        }
        const before = step.before.get(id)?.ceilings ?? []
        if (before.length > 0 && JSON.stringify(before) !== JSON.stringify(ceilings)) seen('tightened')
        for (const old of before) {
          const isKept = ceilings.some((ceiling) => isBounded(old, ceiling) && ceiling.max <= old.max)
          expectEqual([id, isKept], [id, true])
        }
      }
    },
  },
  {
    title: 'an end is final, and the time that a scope has worked never shrinks',
    seen: { ended: 500 },
    checkStep(step, _, seen) {
      for (const [id, before] of step.before) {
        const after = step.after.get(id)!
        if (after.activeMs < before.activeMs) expect(after.activeMs).toBeGreaterThanOrEqual(before.activeMs)
        if (!isEnded(before.status)) continue
        seen('ended')
        expectEqual([after.status, after.closedAtMs, after.pause], [before.status, before.closedAtMs, null])
      }
    },
  },
]

/** Whether a ceiling is about the same stretches of time, and stops wherever the limit does. */
function isBounded(limit: Limit, ceiling: Limit): boolean {
  const isOfZone = limit.per === null || limit.per === 'hour' || limit.timeZone === ceiling.timeZone
  const isAsHard = ceiling.action !== 'warn' || limit.action === 'warn'
  return limit.meter === ceiling.meter && limit.per === ceiling.per && isOfZone && isAsHard
}
