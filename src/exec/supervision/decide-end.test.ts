import { describe, expect, it } from 'vitest'
import type { RunState } from '../runs/governed-run.ts'
import { decideEnd, NOTHING_SEEN, type Patience, see } from './decide-end.ts'

const PATIENCE: Patience = { afterClosingMs: 30, closingMs: 300, pauseMs: 200 }

const RUNNING: RunState = {
  status: 'running',
  breaches: null,
  reason: null,
  isLimited: false,
  isHalted: false,
  isOver: false,
  hasGivenUp: false,
  closing: 'none',
  calls: 0,
  refusedByStint: 0,
  refusedByProvider: 0,
  unanswered: 0,
  clamps: 0,
  cutBy: null,
  notices: [],
  lastText: '',
  sessionId: null,
}

/** When and why a command ends whose run is in the given states from the given times on, checked every millisecond. */
function endOf(moments: Readonly<Record<number, Partial<RunState>>>): string | null {
  let state = RUNNING
  let seen = NOTHING_SEEN
  for (let nowMs = 0; nowMs <= 1000; nowMs++) {
    state = { ...state, ...moments[nowMs] }
    seen = see(seen, state, nowMs)
    const why = decideEnd(state, seen, PATIENCE, nowMs)
    if (why !== null) return `${why} at ${nowMs}`
  }
  return null
}

describe('a command is ended', () => {
  it('not while its run continues', () => {
    expect(endOf({})).toBeNull()
  })

  it('some time after the closing answer, for which it has time', () => {
    const halted = { isHalted: true }
    expect(endOf({ 100: halted, 110: { closing: 'underway' }, 200: { closing: 'answered' } })).toBe('limit at 230')
  })

  it('the same time after the limit if no request for the closing call comes', () => {
    expect(endOf({ 100: { isHalted: true } })).toBe('limit at 130')
  })

  it('when the closing call never ends', () => {
    expect(endOf({ 100: { isHalted: true, closing: 'underway' } })).toBe('limit at 400')
  })

  it.each(['answered', 'underway'] as const)(
    'not immediately at its limit if an agent inside it has closed long before (%s)',
    (closing) => {
      const later = { isHalted: true }
      expect(endOf({ 10: { closing }, 500: later })).toBe(closing === 'answered' ? 'limit at 530' : 'limit at 800')
      expect(endOf({ 10: { closing }, 500: later, 510: { closing: 'underway' }, 600: { closing: 'answered' } })).toBe(
        'limit at 630',
      )
    },
  )

  it('immediately when a clock has run out, wrap-up or not', () => {
    expect(endOf({ 100: { isHalted: true, closing: 'underway' }, 120: { isOver: true } })).toBe('limit at 120')
  })

  it('immediately when a person stops the run', () => {
    expect(endOf({ 50: { status: 'stopped', isOver: true } })).toBe('stopped at 50')
  })

  it('when a pause lasts too long, each counted separately', () => {
    expect(endOf({ 100: { status: 'paused' } })).toBe('paused at 300')
    expect(endOf({ 100: { status: 'paused' }, 250: { status: 'running' }, 260: { status: 'paused' } })).toBe(
      'paused at 460',
    )
  })

  it('when one of its requests was held in vain', () => {
    expect(endOf({ 100: { status: 'paused' }, 150: { hasGivenUp: true } })).toBe('paused at 150')
  })

  it('not if a raise has lifted the limit meanwhile', () => {
    expect(endOf({ 100: { isHalted: true }, 120: { isHalted: false } })).toBeNull()
  })
})
