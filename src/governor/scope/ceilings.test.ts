import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../core/index.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { ledgerFile, openLedger } from '../../stores/sqlite/ledger-file.fixture.ts'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import type { Governor, OpenSpec, Scope } from '../governor.ts'

const CEILING = { layer: 'ceiling', limits: { cost: 2, toolCalls: 20 }, file: 'stint.config.yaml', line: 3 } as const

/** Processes that share only the store, and the resulting limits. */
function stageOn(store: LedgerStore) {
  const { clock, dead, start } = createPair(store)
  return {
    start,
    kill: (holder: string) => void dead.add(holder),
    async maxOf(scopeId: string, meter: string): Promise<number> {
      const scope = (await store.read({ scopeId, atMs: clock.wallMs() }))!.at(-1)!
      return Math.min(...scope.limits.filter(({ limit }) => limit.meter === meter).map(({ limit }) => limit.max))
    },
  }
}

const RUN: OpenSpec = { name: 'run', id: 'run', limits: { cost: 1, toolCalls: 1 }, layers: [CEILING] }

async function found(governor: Governor): Promise<Scope> {
  const scope = await governor.find('run')
  if (scope === null) throw new Error('it is not there')
  return scope
}

describe.each([
  ['memory', () => createMemoryStore({ isShared: true })],
  ['SQLite', () => openLedger(ledgerFile())],
])('J3: a ceiling in the %s store', (_, createStore) => {
  it('bounds a raise by the governor that opened the run', async () => {
    const stage = stageOn(createStore())
    const run = await stage.start('A').open(RUN)
    await run.setLimits({ cost: 100 })
    expect(await stage.maxOf('run', 'cost')).toBe(2_000_000_000)
  })

  it('bounds what is approved, and the request says how much was granted', async () => {
    const stage = stageOn(createStore())
    const governor = stage.start('A')
    const run = await governor.open(RUN)
    const { id } = await run.requestIncrease({ meter: 'toolCalls', amount: 1_000, reason: 'more' })
    expect(await governor.approve(id, { amount: 1_000 })).toMatchObject({ status: 'approved', granted: 19 })
    expect(await stage.maxOf('run', 'toolCalls')).toBe(20)
    const again = await run.requestIncrease({ meter: 'toolCalls', amount: 1, reason: 'one more' })
    expect(await governor.approve(again.id)).toMatchObject({ status: 'denied', granted: null })
  })

  it('bounds a raise by another process, so that nothing above it is granted', async () => {
    const stage = stageOn(createStore())
    const run = await stage.start('A').open(RUN)
    await (await found(stage.start('B'))).setLimits({ cost: 100 })
    expect(await stage.maxOf('run', 'cost')).toBe(2_000_000_000)
    expect(await run.reserve({ cost: 2_000_000_001 }, { waitMs: 0 })).toMatchObject({ kind: 'refused' })
  })

  it('becomes the limit if another process removes the limit', async () => {
    const stage = stageOn(createStore())
    await stage.start('A').open(RUN)
    await (await found(stage.start('B'))).setLimits({ toolCalls: null })
    expect(await stage.maxOf('run', 'toolCalls')).toBe(20)
  })

  it('still applies if another process resumes and raises the run', async () => {
    const stage = stageOn(createStore())
    await (await stage.start('A').open(RUN)).pause()
    const run = await found(stage.start('B'))
    await run.resume()
    await run.setLimits({ toolCalls: 500 })
    expect(await stage.maxOf('run', 'toolCalls')).toBe(20)
  })

  it('still applies if another process adopts the run after its owner died, with or without the ceiling', async () => {
    const stage = stageOn(createStore())
    await stage.start('A').open(RUN)
    stage.kill('A')
    const again = await stage.start('B').open(RUN)
    await again.setLimits({ cost: 100 })
    expect(await stage.maxOf('run', 'cost')).toBe(2_000_000_000)
    stage.kill('B')
    const { layers: _without, ...bare } = RUN
    const third = await stage.start('C').open({ ...bare, limits: {} })
    await third.setLimits({ cost: 100, toolCalls: 500 })
    expect([await stage.maxOf('run', 'cost'), await stage.maxOf('run', 'toolCalls')]).toEqual([2_000_000_000, 20])
  })

  it('is tightened by the process that adopts the run, along with the limits', async () => {
    const stage = stageOn(createStore())
    const run = await stage.start('A').open(RUN)
    await run.setLimits({ toolCalls: 10 })
    stage.kill('A')
    const tighter = { layer: 'ceiling', limits: { cost: 50, toolCalls: 3 } } as const
    const again = await stage.start('B').open({ ...RUN, layers: [tighter] })
    expect(await stage.maxOf('run', 'toolCalls')).toBe(3)
    await again.setLimits({ cost: 100, toolCalls: 100 })
    expect([await stage.maxOf('run', 'cost'), await stage.maxOf('run', 'toolCalls')]).toEqual([2_000_000_000, 3])
  })

  it('is explained in whichever process the run is found', async () => {
    const stage = stageOn(createStore())
    await stage.start('A').open(RUN)
    const rows = (await found(stage.start('B'))).explain()
    expect(rows.find(({ meter }) => meter === 'cost')).toMatchObject({
      max: 1_000_000_000,
      ceiling: { max: 2_000_000_000, maxText: '$2.00', place: 'cost in stint.config.yaml:3' },
    })
  })

  it('without one, a raise can go anywhere', async () => {
    const stage = stageOn(createStore())
    const { layers: _without, ...bare } = RUN
    await stage.start('A').open(bare)
    const run = await found(stage.start('B'))
    await run.setLimits({ cost: 100 })
    expect(await stage.maxOf('run', 'cost')).toBe(100_000_000_000)
    expect(run.explain().every(({ ceiling }) => ceiling === null)).toBe(true)
  })
})
