import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPlace } from './mutants/find-place.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { sameTokens } from './mutants/same-tokens.ts'
import { FAULT_KINDS } from './program/fault-kind.ts'
import { missingFaults, type Totals } from './program/run-seeds.ts'
import { replaySeed } from './replay-seed.ts'
import { faultOfRun } from './report-totals.ts'
import { SOURCE } from './source-folder.ts'

const nothing: Totals = { seeds: 60, processes: 0, calls: 0, events: 0, faults: new Map(), failed: null }

describe('a seed', () => {
  it.each(['memory', 'sqlite'] as const)('is reproduced exactly, on %s', async (store) => {
    const { result, isSame } = await replaySeed(11, store)
    expect(result.violation).toBeNull()
    expect(isSame).toBe(true)
  })

  it('differs from the next seed', async () => {
    const { result: one } = await replaySeed(12, 'memory')
    const { result: other } = await replaySeed(13, 'memory')
    expect(one.hash()).not.toBe(other.hash())
  })

  it('has at least two processes, a hundred calls and five faults', async () => {
    const { result } = await replaySeed(14, 'memory')
    expect(result.processes).toBeGreaterThanOrEqual(2)
    expect(result.calls).toBeGreaterThanOrEqual(100)
    expect([...result.faults.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(5)
  })
})

describe('a run of seeds', () => {
  it('fails if a kind of fault never happened', () => {
    const faults = new Map(FAULT_KINDS.map((kind) => [kind, 1]))
    expect(faultOfRun({ ...nothing, faults }, 'memory')).toBeNull()
    faults.delete('death')
    expect(missingFaults({ ...nothing, faults })).toEqual(['death'])
    expect(faultOfRun({ ...nothing, faults }, 'memory')).toContain('death')
  })
})

describe('a planted bug', () => {
  it('is refused if its place is missing or found twice', () => {
    const place = { name: 'nowhere', in: 'payableUnits', find: 'no such line' }
    expect(() => findPlace(place)).toThrow(
      '"nowhere": its place is in payableUnits (core/decide/decide.ts) 0 times, not once',
    )
    expect(() => findPlace({ ...place, find: 'const' })).toThrow('times, not once')
    expect(() => findPlace({ ...place, in: 'decideNothing' })).toThrow('no function in src is called decideNothing')
  })

  it('is found however the formatter breaks its lines', () => {
    expect(sameTokens('call(\n  one, // the first\n  two,\n)', 'call(one, two)')).toEqual([{ from: 0, to: 34 }])
    expect(sameTokens('call(one, three)', 'call(one, two)')).toEqual([])
  })

  it.each(MUTANTS)('has one place in the source: $name', (mutant) => {
    expect(findPlace(mutant).to).toBeGreaterThan(0)
  })

  it.each(MUTANTS.filter(({ caughtBy }) => caughtBy !== undefined))(
    'is caught by an existing test file: $name',
    ({ caughtBy = '' }) => expect(existsSync(join(SOURCE, '..', caughtBy)), caughtBy).toBe(true),
  )

  it('has a unique name, and there are at least 25', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(25)
  })
})
