import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/stores/memory/index.ts'
import { describeLaws } from './describe-laws.ts'

describeLaws('the memory store', createMemoryStore, 1_000)

describe('a million rows', () => {
  it('D5: have exact totals', async () => {
    const store = createMemoryStore()
    for (const [parentId, id] of [
      [null, 'team'],
      ['team', 'run'],
    ] as const) {
      await store.open({ parentId, scopes: [{ id, name: id, kind: 'agent', owner: null, limits: [] }], atMs: 0 })
    }
    let expected = 0n
    let seed = 42
    for (let call = 0; call < 1_000_000; call++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const reservationId = String(call)
      await store.reserve({ reservationId, scopeId: 'run', amounts: { cost: 1 }, holder: 'test', atMs: 0 })
      await store.settle({ reservationId, actual: { cost: seed }, atMs: 0 })
      expected += BigInt(seed)
    }
    const [team, run] = (await store.read({ scopeId: 'run', atMs: 0 }))!
    expect(BigInt(team!.totals.cost.settled)).toBe(expected)
    expect(BigInt(run!.totals.cost.settled)).toBe(expected)
  })
})
