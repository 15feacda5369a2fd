import { describe, expect, it } from 'vitest'
import type { Amounts, EndStatus, Limit } from '../../core/index.ts'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { type LimitsInput, resolveLimits } from '../../policy/index.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { suggestLimits } from './suggest-limits.ts'
import { tryLimits } from './try-limits.ts'

const NOW_MS = Date.UTC(2026, 10, 18, 12)
const USD = 1_000_000_000
const CEILING = limitFixture('toolCalls', 12, { source: { layer: 'ceiling', written: 'toolCalls' } })

function createPastLedger() {
  const store = createMemoryStore({ finishedReservationsKept: 100_000 })
  let runs = 0
  return {
    store,
    nowMs: () => NOW_MS,
    /** A run with these calls, a second apart. */
    async run(
      calls: readonly Amounts[],
      status: EndStatus = 'completed',
      agentType = 'developer',
      ceilings: readonly Limit[] = [],
    ) {
      const id = `run-${++runs}`
      const openedAtMs = NOW_MS - 3_600_000
      const scope = { id, name: id, kind: 'agent', owner: 'p', limits: [], ceilings, labels: { agentType } } as const
      await store.open({ parentId: null, scopes: [scope], atMs: openedAtMs })
      for (const [place, amounts] of calls.entries()) {
        const atMs = openedAtMs + place * 1000
        const reservationId = `${id} ${place}`
        await store.reserve({ reservationId, scopeId: id, amounts, holder: 'p', atMs })
        await store.settle({ reservationId, actual: amounts, activeMs: (place + 1) * 1000, atMs: atMs + 500 })
      }
      await store.close({ scopeId: id, status, atMs: openedAtMs + calls.length * 1000 })
    },
  }
}

/** `turns` calls of a tool that cost a cent each. */
const turns = (count: number): readonly Amounts[] =>
  Array.from({ length: count }, () => ({ toolCalls: 1, cost: USD / 100 }))
const limitOf = (meter: string, advice: Awaited<ReturnType<typeof suggestLimits>>) =>
  advice[0]?.limits.find((limit) => limit.meter === meter)

describe('suggested limits', () => {
  it('cover the quantile of successful runs, on every meter', async () => {
    const ledger = createPastLedger()
    for (let count = 1; count <= 20; count++) await ledger.run(turns(count))
    await ledger.run(turns(50), 'failed')
    const advice = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0 })
    expect(advice).toMatchObject([{ agent: 'developer', done: 20, cut: 0, other: 1, quantile: 0.95 }])
    expect(limitOf('toolCalls', advice)).toMatchObject({
      suggested: 19,
      needed: 19,
      largest: 20,
      cutShare: expect.closeTo(0.05),
    })
    expect(limitOf('cost', advice)).toMatchObject({ suggested: 0.19 * USD })
    expect(limitOf('time', advice)).toMatchObject({ suggested: 19_000 })
    expect(limitOf('tokens', advice)).toBeUndefined()
    const lower = await suggestLimits(ledger, { agent: null, sinceMs: 0, quantile: 0.5 })
    expect(limitOf('toolCalls', lower)).toMatchObject({ suggested: 10 })
  })

  it('count a run that one limit cut as needing more of everything', async () => {
    const ledger = createPastLedger()
    for (let count = 1; count <= 20; count++) await ledger.run(turns(10))
    const before = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0, quantile: 0.9 })
    expect(limitOf('toolCalls', before)).toMatchObject({ suggested: 10 })
    for (let count = 1; count <= 5; count++) await ledger.run(turns(12), 'limit-reached')
    for (let count = 1; count <= 5; count++) await ledger.run(turns(12), 'timed-out')
    const after = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0, quantile: 0.9 })
    for (const meter of ['toolCalls', 'cost', 'time']) {
      expect(limitOf(meter, after)).toMatchObject({ suggested: null, needed: null, reason: 'mostly-cut' })
    }
    expect(limitOf('toolCalls', after)).toMatchObject({ largest: 12 })
  })

  it('need twenty successful runs', async () => {
    const ledger = createPastLedger()
    for (let count = 1; count <= 19; count++) await ledger.run(turns(5))
    const few = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0 })
    expect(limitOf('toolCalls', few)).toMatchObject({ suggested: null, reason: 'too-few', cutShare: null })
    await ledger.run(turns(5))
    expect(limitOf('toolCalls', await suggestLimits(ledger, { agent: 'developer', sinceMs: 0 }))).toMatchObject({
      suggested: 5,
    })
  })

  it('stay within the ceilings', async () => {
    const ledger = createPastLedger()
    for (let count = 1; count <= 20; count++) await ledger.run(turns(15))
    // The last to end has it.
    await ledger.run(
      [...turns(12), ...Array.from({ length: 8 }, () => ({ modelCalls: 1 }))],
      'completed',
      'developer',
      [CEILING],
    )
    const advice = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0 })
    expect(limitOf('toolCalls', advice)).toMatchObject({
      suggested: 12,
      needed: 15,
      isCeiling: true,
      cutShare: expect.closeTo(20 / 21),
    })
  })

  it('do not exist for an empty ledger, and unknown options or quantiles are refused', async () => {
    const ledger = createPastLedger()
    expect(await suggestLimits(ledger, { agent: null, sinceMs: 0 })).toEqual([])
    await expect(suggestLimits(ledger, { agent: null, sinceMs: 0, quantil: 1 } as never)).rejects.toThrow(
      /quantil\b.*quantile/,
    )
    await expect(suggestLimits(ledger, { agent: null, sinceMs: 0, quantile: 95 })).rejects.toThrow(/0\.95/)
  })
})

/** A generator with a fixed seed. */
function createDice(seed: number) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe('on generated runs whose needs are known', () => {
  // Log-normal work, 2,000 runs; a cost limit cuts those that it does not pay for.
  async function adviceWith(costOfTurn: (dice: () => number, work: number) => number, costLimit: number) {
    const dice = createDice(7)
    const ledger = createPastLedger()
    const needs: number[] = []
    for (let run = 0; run < 2_000; run++) {
      const normal = Math.sqrt(-2 * Math.log(dice())) * Math.cos(2 * Math.PI * dice())
      const work = Math.ceil(Math.exp(2 + 0.5 * normal))
      needs.push(work)
      const each = Math.round(costOfTurn(dice, work) * USD)
      const affordable = Math.floor((costLimit * USD) / each)
      const done = Math.min(work, affordable)
      await ledger.run([{ toolCalls: done, cost: done * each }], done < work ? 'limit-reached' : 'completed')
    }
    const truth = needs.sort((left, right) => left - right)[Math.ceil(0.8 * needs.length) - 1]!
    const advice = await suggestLimits(ledger, { agent: 'developer', sinceMs: 0, quantile: 0.8 })
    return { truth, suggested: limitOf('toolCalls', advice)?.suggested ?? null, advice }
  }

  it('the cut runs do not lower the quantile when the cut is unrelated to the need', async () => {
    // The cost of a turn has nothing to do with how many are needed.
    const { truth, suggested, advice } = await adviceWith((dice) => (dice() < 0.3 ? 0.2 : 0.01), 1)
    expect(advice[0]!.cut).toBeGreaterThan(300)
    expect(Math.abs(suggested! - truth)).toBeLessThanOrEqual(1)
  })

  it('states the bias: where hard tasks also cost more per turn, a cost limit makes the suggestion for turns too low', async () => {
    // A task of n turns costs n cents (or less) a turn, so that $1 pays for 10 turns of a task of 10, and 5 of one of 20.
    const often = await adviceWith((_, work) => 0.01 * work, 1)
    expect([often.truth, often.suggested, often.advice[0]!.cut]).toEqual([12, 10, 533])
    const sometimes = await adviceWith((_, work) => 0.006 * work, 1)
    expect([sometimes.truth, sometimes.suggested, sometimes.advice[0]!.cut]).toEqual([12, 11, 331])
    const rarely = await adviceWith((_, work) => 0.004 * work, 1)
    expect([rarely.truth, rarely.suggested, rarely.advice[0]!.cut]).toEqual([12, 12, 158])
  })
})

describe('limits tried on past runs', () => {
  const limits = (input: LimitsInput) => {
    return resolveLimits([{ layer: 'call', call: 'governor.open', field: 'limits', limits: input }]).limits
  }

  it('list the runs they would have cut, and what that would have saved', async () => {
    const ledger = createPastLedger()
    await ledger.run(turns(5))
    await ledger.run(turns(12))
    await ledger.run(turns(20))
    await ledger.run(turns(8), 'limit-reached')
    await ledger.run(turns(99), 'stopped')
    const tried = await tryLimits(ledger, { agent: 'developer', limits: limits({ turns: 10 }), sinceMs: 0 })
    expect(tried).toMatchObject({
      runs: 4,
      done: 3,
      lost: 2,
      unknown: 1,
      savedNanoUsd: 0.12 * USD,
      costNanoUsd: 0.45 * USD,
    })
    expect(tried?.cut.map(({ run, savedNanoUsd }) => [run.scope.id, savedNanoUsd / USD])).toEqual([
      ['run-3', 0.1],
      ['run-2', 0.02],
    ])
  })

  it('are replayed call by call: the first limit to be reached cuts', async () => {
    const ledger = createPastLedger()
    await ledger.run([...turns(3), { toolCalls: 1, cost: USD }, ...turns(6)])
    const tried = await tryLimits(ledger, {
      agent: 'developer',
      limits: limits({ turns: 5, cost: 0.5, time: '8s' }),
      sinceMs: 0,
    })
    expect(tried?.cut).toMatchObject([{ meter: 'cost', savedNanoUsd: 1.06 * USD, isEstimated: false }])
    const later = await tryLimits(ledger, { agent: 'developer', limits: limits({ time: '8s' }), sinceMs: 0 })
    expect(later?.cut).toMatchObject([{ meter: 'time', savedNanoUsd: 0.01 * USD }])
  })

  it('do not count the time in which a run was paused', async () => {
    const { store, nowMs } = createPastLedger()
    const [id, openedAtMs] = ['run', NOW_MS - 7_200_000]
    const scope = { id, name: id, kind: 'agent', owner: 'p', limits: [], labels: { agentType: 'developer' } } as const
    await store.open({ parentId: null, scopes: [scope], atMs: openedAtMs })
    const work = async (place: number, atMs: number) => {
      const amounts = { toolCalls: 1, cost: USD }
      const reservationId = `call ${place}`
      await store.reserve({ reservationId, scopeId: id, amounts, holder: 'p', atMs })
      await store.settle({ reservationId, actual: amounts, activeMs: (place + 1) * 60_000, atMs: atMs + 60_000 })
    }
    // Six minutes of work, with an hour's pause after the third.
    for (let place = 0; place < 3; place++) await work(place, openedAtMs + place * 60_000)
    await store.pause({ scopeId: id, reason: 'by hand', activeMs: 180_000, atMs: openedAtMs + 180_000 })
    await store.resume({ scopeId: id, atMs: openedAtMs + 3_780_000 })
    for (let place = 3; place < 6; place++) await work(place, openedAtMs + place * 60_000 + 3_600_000)
    await store.close({ scopeId: id, status: 'completed', atMs: openedAtMs + 3_960_000 })
    const cutBy = async (time: string) =>
      (await tryLimits({ store, nowMs }, { agent: 'developer', limits: limits({ time }), sinceMs: 0 }))?.cut
    expect(await cutBy('230s')).toMatchObject([{ meter: 'time', savedNanoUsd: 2 * USD }])
    expect(await cutBy('6m')).toEqual([])
  })

  it('find nothing for an agent that never ran', async () => {
    expect(await tryLimits(createPastLedger(), { agent: 'nobody', limits: limits({ turns: 1 }), sinceMs: 0 })).toBe(
      null,
    )
  })
})
