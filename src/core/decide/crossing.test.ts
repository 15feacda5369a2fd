import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitFixture } from '../limits/limit.fixture.ts'
import type { Limit } from '../limits/limit.ts'
import { type Announced, type Crossing, crossingsAt, NOTHING_ANNOUNCED, nextMark } from './crossing.ts'

/** The crossings announced as the settled amount goes through these values. */
function through(limit: Limit, values: readonly number[]): readonly (readonly Crossing[])[] {
  let announced: Announced = NOTHING_ANNOUNCED
  return values.map((settled) => {
    const step = crossingsAt(limit, settled, announced)
    announced = step.announced
    return step.crossings
  })
}

describe('crossings', () => {
  it('A1: the eighth of ten tool calls announces that the limit is near, the ninth and tenth announce nothing', () => {
    const told = through(limitFixture('toolCalls', 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(told.map((crossings) => crossings.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    expect(told[7]).toEqual([{ kind: 'nearing', threshold: 0.8 }])
  })

  it('A15: one token past the limit announces once that it is exceeded', () => {
    const told = through(limitFixture('tokens', 100, { nearing: [] }), [100, 101, 150, 500])
    expect(told).toEqual([[], [{ kind: 'exceeded' }], [], []])
  })

  it('a jump over several thresholds announces each in order, then the limit', () => {
    expect(through(limitFixture('tokens', 100, { nearing: [0.5, 0.8, 0.95] }), [120])[0]).toEqual([
      { kind: 'nearing', threshold: 0.5 },
      { kind: 'nearing', threshold: 0.8 },
      { kind: 'nearing', threshold: 0.95 },
      { kind: 'exceeded' },
    ])
  })

  it('A7: under warn each further 20 % is announced, a jump over several once', () => {
    const limit = limitFixture('toolCalls', 50, { action: 'warn', nearing: [] })
    expect(through(limit, [50, 51, 59, 60, 61, 70, 120, 121])).toEqual([
      [],
      [{ kind: 'exceeded' }],
      [],
      [{ kind: 'further', fifths: 1 }],
      [],
      [{ kind: 'further', fifths: 2 }],
      [{ kind: 'further', fifths: 7 }],
      [],
    ])
  })

  it('A7: under warn a step of 20 % or more past the limit is announced once', () => {
    const limit = limitFixture('toolCalls', 5, { action: 'warn', nearing: [] })
    expect(through(limit, [5, 6, 7, 8])).toEqual([
      [],
      [{ kind: 'exceeded' }],
      [{ kind: 'further', fifths: 2 }],
      [{ kind: 'further', fifths: 3 }],
    ])
    expect(through(limitFixture('tokens', 100, { action: 'warn', nearing: [] }), [190, 199, 200])).toEqual([
      [{ kind: 'exceeded' }],
      [],
      [{ kind: 'further', fifths: 5 }],
    ])
  })

  it('reads thresholds as written, without a float’s last bit', () => {
    for (const [max, threshold] of [
      [100, 0.55],
      [10, 0.7],
      [1_000, 0.333],
      [7, 3 / 7],
    ] as const) {
      const limit = limitFixture('toolCalls', max, { nearing: [threshold] })
      const at = Math.round(max * threshold)
      expect(through(limit, [at - 1, at])).toEqual([[], [{ kind: 'nearing', threshold }]])
    }
  })

  it('announces nothing near a limit of 0: any use exceeds it', () => {
    expect(through(limitFixture('toolCalls', 0), [0, 1])).toEqual([[], [{ kind: 'exceeded' }]])
    const warned = limitFixture('toolCalls', 0, { action: 'warn' })
    expect(through(warned, [0, 1, 3])).toEqual([[], [{ kind: 'exceeded' }], [{ kind: 'further', fifths: 3 }]])
  })

  it('announces nothing below the next mark', () => {
    const action = fc.constantFrom('terminate' as const, 'warn' as const)
    const nearing = fc.uniqueArray(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { maxLength: 3 })
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 }), action, nearing, steps, (max, act, thresholds, grown) => {
        const limit = limitFixture('tokens', max, { action: act, nearing: thresholds.toSorted((a, b) => a - b) })
        let announced = NOTHING_ANNOUNCED
        let settled = 0
        for (const step of grown) {
          const mark = nextMark(limit, announced)
          settled += step
          const told = crossingsAt(limit, settled, announced)
          if (settled < mark) expect(told.crossings).toEqual([])
          announced = told.announced
          expect(crossingsAt(limit, settled, announced).crossings).toEqual([])
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
