import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CallEnding,
  judgeCall,
  NO_REPEATS,
  REPEAT_METER,
  type RepeatableCall,
  type RepeatDecision,
  type RepeatState,
  recordCall,
  repeatBreachOf,
} from './index.ts'

const read: RepeatableCall = { tool: 'read', arguments: { path: 'a', lines: [1, 2] } }
const other = (id: number): RepeatableCall => ({ tool: 'search', arguments: { id } })

/** Judges each call and records those that run. Returns the decisions in order. */
function play(steps: readonly (readonly [RepeatableCall, CallEnding])[], start: RepeatState = NO_REPEATS) {
  let state = start
  const decisions = steps.map(([call, ending]): RepeatDecision['decision'] => {
    const judged = judgeCall(state, call)
    state = judged.decision === 'run' ? recordCall(judged.state, call, ending) : judged.state
    return judged.decision
  })
  return { decisions, state }
}

const same = { result: 'the same' }
const times = (count: number, call = read, ending: CallEnding = same) =>
  Array.from({ length: count }, () => [call, ending] as const)

describe('the repeat guard', () => {
  it('E11: runs a call three times with the same result, suppresses the fourth and breaches at the fifth', () => {
    expect(play(times(5)).decisions).toEqual(['run', 'run', 'run', 'suppress', 'breach'])
  })

  it('E11: tells the model why a call was suppressed, and the breach names its setting', () => {
    const { state } = play(times(3))
    const suppressed = judgeCall(state, read)
    expect(suppressed).toMatchObject({
      reason:
        'Not run: "read" ran 3 times within 6 calls with these arguments and the same result. ' +
        'Use that result, or try something else; calling it again breaches the repeat limit.',
    })
    expect(judgeCall(suppressed.state, read)).toMatchObject({ decision: 'breach' })
    expect(repeatBreachOf('read', { id: 'run-1', path: 'triage' }, 'pause')).toMatchObject({
      scope: 'run-1',
      scopePath: 'triage',
      meter: REPEAT_METER,
      limit: 3,
      settled: 3,
      asked: 1,
      remaining: 0,
      action: 'pause',
      message: expect.stringMatching(/"triage".*"read".*repeatGuard: false/),
    })
  })

  it('E11: never suppresses polling whose result changes', () => {
    const steps = Array.from({ length: 20 }, (_, index) => [read, { result: { progress: index } }] as const)
    expect(play(steps).decisions).not.toContain('suppress')
    const backAndForth = Array.from({ length: 20 }, (_, index) => [read, { result: index % 3 < 2 }] as const)
    expect(play(backAndForth).decisions).not.toContain('suppress')
  })

  it('counts from the last change of the result', () => {
    expect(play([...times(2), ...times(3, read, { result: 'new' }), ...times(1)]).decisions).toEqual([
      'run',
      'run',
      'run',
      'run',
      'run',
      'suppress',
    ])
  })

  it('E11: considers only the last six calls', () => {
    const mixed = [read, other(1), read, other(2), other(3), read].map((call) => [call, same] as const)
    expect(play([...mixed, [read, same]]).decisions.at(-1)).toBe('suppress')
    const spread = [read, other(1), read, other(2), other(3), other(4), read].map((call) => [call, same] as const)
    expect(play([...spread, [read, same]]).decisions.at(-1)).toBe('run')
  })

  it('forgets a suppression after enough other calls', () => {
    const elsewhere = Array.from({ length: 6 }, (_, index) => [other(index), same] as const)
    const { decisions, state } = play([...times(4), ...elsewhere, ...times(4)])
    expect(decisions.slice(-4)).toEqual(['run', 'run', 'run', 'suppress'])
    expect(state.suppressed).toHaveLength(1)
  })

  it('starts over after a breach, for a scope that is resumed or only warns', () => {
    const { state } = play(times(5))
    expect(play(times(4), state).decisions).toEqual(['run', 'run', 'run', 'suppress'])
  })

  it('distinguishes calls by arguments, tool and kind of ending', () => {
    const calls = [read, { ...read, arguments: { path: 'b', lines: [1, 2] } }, { ...read, tool: 'list' }]
    const steps = [...calls, ...calls, read, read].map((call) => [call, same] as const)
    expect(play(steps.slice(0, 6)).decisions).not.toContain('suppress')
    expect(play([...times(2), ...times(1, read, { error: 'the same' }), ...times(1)]).decisions.at(-1)).toBe('run')
  })

  it('compares arguments and results in any key order, even as JSON text', () => {
    const reordered: RepeatableCall = { tool: 'read', arguments: { lines: [1, 2], path: 'a' } }
    const asText: RepeatableCall = { tool: 'read', arguments: '{ "lines": [1, 2],  "path": "a" }' }
    const steps = [
      [read, { result: { a: 1, b: { c: 2, d: 3 } } }],
      [reordered, { result: { b: { d: 3, c: 2 }, a: 1 } }],
      [asText, { result: '{"b":{"d":3,"c":2},"a":1}' }],
      [read, same],
    ] as const
    expect(play(steps).decisions).toEqual(['run', 'run', 'run', 'suppress'])
  })

  it('respects the order of lists', () => {
    const swapped: RepeatableCall = { tool: 'read', arguments: { path: 'a', lines: [2, 1] } }
    expect(play([...times(2), ...times(2, swapped)]).decisions).not.toContain('suppress')
  })

  it('is reset by a call with side effects', () => {
    const edit: RepeatableCall = { tool: 'edit', arguments: { path: 'a' }, changes: true }
    expect(play([...times(3), [edit, { result: 'ok' }], ...times(4)]).decisions).toEqual([
      ...Array.from({ length: 7 }, () => 'run'),
      'suppress',
    ])
    expect(play(times(10, edit, { result: 'ok' })).decisions).not.toContain('suppress')
  })

  it('suppresses a call with side effects that keeps failing the same way', () => {
    const edit: RepeatableCall = { tool: 'edit', arguments: { path: 'a' }, changes: true }
    expect(play(times(4, edit, { error: new Error('no match') })).decisions.at(-1)).toBe('suppress')
    expect(play([...times(3), [edit, { error: 'no match' }], ...times(1)]).decisions.at(-1)).toBe('run')
  })

  it('ignores a polling tool', () => {
    const wait: RepeatableCall = { tool: 'wait', arguments: {}, polls: true }
    expect(play(times(20, wait)).decisions).not.toContain('suppress')
  })

  it('treats errors as the same if they differ only in numbers, ids, times, paths and addresses', () => {
    const errors = [
      new Error(
        'ENOENT: /tmp/run-1/a.ts:12:5 at 2026-11-15T10:00:00.123Z, request 3f9ac21b, see https://a.example/x?id=1 (0x1f, 35 ms)',
      ),
      new Error(
        'ENOENT: /tmp/run-22/b/a.ts:7:15 at 2026-11-16T11:30:00Z, request 77b0cc9e, see https://a.example/y (0xabc, 1,204 ms)',
      ),
      new Error(
        'ENOENT: C:\\Temp\\a.ts:7:15 at 2026-11-16T11:30:00Z, request 123456, see http://b.example (0x0, 3.5 ms)',
      ),
    ]
    const steps = [...errors, errors[0]].map((error) => [read, { error }] as const)
    expect(play(steps).decisions).toEqual(['run', 'run', 'run', 'suppress'])
  })

  it('distinguishes errors with different messages', () => {
    const steps = ['denied', 'timed out', 'not found', 'denied'].map((error) => [read, { error }] as const)
    expect(play(steps).decisions).not.toContain('suppress')
  })

  it('allows calls that cannot be compared', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(play(times(9, { tool: 'read', arguments: circle })).decisions).not.toContain('suppress')
    expect(play(times(9, read, { result: 10n })).decisions).not.toContain('suppress')
  })

  it('treats `__proto__` like any other key', () => {
    const one: RepeatableCall = { tool: 'read', arguments: '{"__proto__": {"a": 1}}' }
    const two: RepeatableCall = { tool: 'read', arguments: '{"__proto__": {"a": 2}}' }
    expect(play([...times(2, one), ...times(2, two)]).decisions).not.toContain('suppress')
    expect(play(times(4, one)).decisions.at(-1)).toBe('suppress')
  })

  it('uses bounded memory, however large and many the calls are', () => {
    const steps = Array.from(
      { length: 50 },
      (_, index) =>
        [{ tool: 't', arguments: 'x'.repeat(100_000) + (index % 9) }, { result: 'y'.repeat(100_000) }] as const,
    )
    expect(JSON.stringify(play(steps).state).length).toBeLessThan(2000)
  })

  it('agrees with a plain count on random histories', () => {
    const step = fc.record({ call: fc.nat(2), result: fc.nat(1) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = NO_REPEATS
        const ran: { call: number; result: number }[] = []
        for (const { call, result } of steps) {
          const judged = judgeCall(state, other(call))
          const lately = ran.slice(-6).filter((entry) => entry.call === call)
          const repeats = lately.length >= 3 && new Set(lately.slice(-3).map((entry) => entry.result)).size === 1
          expect(judged.decision === 'run').toBe(!repeats)
          // The count starts over after a breach, so a history that continues past it is a different one.
          if (judged.decision === 'breach') return
          state = judged.state
          if (judged.decision === 'suppress') continue
          state = recordCall(state, other(call), { result })
          ran.push({ call, result })
        }
        expect(state.ran.length).toBeLessThanOrEqual(6)
      }),
      { numRuns: 1000 },
    )
  })
})
