import { describe, expect, it } from 'vitest'
import { claimFixture } from './trust.fixture.ts'
import { covers, factFrom, factOf } from './trust-fact.ts'

describe('what was trusted', () => {
  it('covers the same claim again, in any key order', () => {
    const fact = factOf(claimFixture({ value: { file: './x.log', keep: 3 } }))
    expect(covers(fact, claimFixture({ value: { keep: 3, file: './x.log' } }))).toBe(true)
    expect(covers(fact, claimFixture({ value: { keep: 4, file: './x.log' } }))).toBe(false)
  })

  it.each([
    { name: 'stint.config.yml' },
    { path: ['store'] },
    { path: ['log', 'file'] },
    { value: './y.log' },
    { value: null },
    { value: ['./x.log'] },
  ])('does not cover %j', (other) => {
    expect(covers(factOf(claimFixture()), claimFixture(other))).toBe(false)
  })

  it('distinguishes paths that look alike when joined', () => {
    const fact = factOf(claimFixture({ path: ['prices', 'a.b'] }))
    expect(covers(fact, claimFixture({ path: ['prices', 'a', 'b'] }))).toBe(false)
    expect(covers(fact, claimFixture({ path: ['prices', 'a.b'] }))).toBe(true)
  })

  it('covers a limit that allows less, but not one that allows more', () => {
    const limit = (max: number | null, hardness = 2, window = '') =>
      claimFixture({ path: ['limits', 'cost'], value: max, bound: { max, hardness, window } })
    const fact = factOf(limit(10, 1))
    expect([limit(10, 1), limit(9, 2), limit(1, 1)].map((claim) => covers(fact, claim))).toEqual([true, true, true])
    const looser = [limit(11, 2), limit(null, 2), limit(9, 0), limit(9, 2, 'Asia/Tokyo')]
    expect(looser.map((claim) => covers(fact, claim))).toEqual([false, false, false, false])
    expect(covers(factOf(limit(null)), limit(1e9))).toBe(true)
  })

  it('stores no values, since they may be secret', () => {
    expect(JSON.stringify(factOf(claimFixture({ value: { token: 'sk-canary' } })))).not.toContain('sk-canary')
  })

  it('reads only what it wrote', () => {
    const fact = factOf(claimFixture({ bound: { max: null, hardness: 1, window: '' } }))
    expect(factFrom(JSON.parse(JSON.stringify(fact)))).toEqual(fact)
    for (const wrong of [
      null,
      {},
      [],
      { ...fact, path: 'log' },
      { ...fact, digest: 5 },
      { ...fact, bound: { max: 'x' } },
    ]) {
      expect(factFrom(wrong)).toBeNull()
    }
  })
})
