import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { describeStoreContract } from '../../testing/store-contract/describe-store-contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

describeStoreContract('the memory store', { createStore: createMemoryStore }, { describe, it, expect })

describe('what the memory store forgets', () => {
  it('is reservations that finished long ago: they are unknown, and change nothing', async () => {
    const ledger = createContractLedger(createMemoryStore({ finishedReservationsKept: 10 }))
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 7 }, { reservationId: 'in flight' })
    await ledger.reserve('run', { tokens: 5 }, { reservationId: 'old' })
    await ledger.settle('old')
    for (let call = 0; call < 50; call++) await ledger.spend('run', { tokens: 1 })
    expect(await ledger.settle('old', { actual: { tokens: 9 } })).toEqual({ kind: 'unknown' })
    expect((await ledger.settle('in flight')).kind).toBe('settled')
    expect(await ledger.settled('run', 'tokens')).toBe(62)
  })

  it('is never an assumed charge, however much is settled after it', async () => {
    const ledger = createContractLedger(createMemoryStore({ finishedReservationsKept: 5 }))
    await ledger.open('run')
    await ledger.reserve('run', { tokens: 50 }, { reservationId: 'orphan', holder: 'dead' })
    await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
    for (let call = 0; call < 40; call++) await ledger.spend('run', { toolCalls: 1 })
    expect((await ledger.settle('orphan', { actual: { tokens: 8 } })).kind).toBe('corrected')
    expect(await ledger.settled('run', 'tokens')).toBe(8)
  })

  it('is scopes that ended long ago, but never their parents’ totals', async () => {
    const ledger = createContractLedger(createMemoryStore({ closedScopesKept: 5 }))
    await ledger.open('team')
    for (let run = 0; run < 20; run++) {
      await ledger.open(`team/${run}`)
      await ledger.spend(`team/${run}`, { tokens: 1 })
      await ledger.close(`team/${run}`)
    }
    expect(await ledger.store.read({ scopeId: 'team/0', atMs: ledger.atMs })).toBe(null)
    expect((await ledger.read('team/19')).status).toBe('completed')
    expect(await ledger.settled('team', 'tokens')).toBe(20)
  })

  it('is windows followed by 400 others', async () => {
    const ledger = createContractLedger(createMemoryStore())
    await ledger.open('run', [limitFixture('cost', 10, { per: 'hour' })])
    const longAgo = ledger.atMs
    for (let hour = 0; hour < 420; hour++) {
      await ledger.spend('run', { cost: 2 })
      ledger.atMs += 3_600_000
    }
    ledger.atMs = longAgo
    expect(await ledger.limit('run', 'cost')).toMatchObject({ settled: 0 })
    expect(await ledger.settled('run', 'cost')).toBe(840)
  })

  it('is scopes steered before 10,000 others: a rare reader checks everything', async () => {
    const ledger = createContractLedger(createMemoryStore())
    await ledger.open('run')
    const { cursor } = await ledger.store.poll({ since: null })
    for (let round = 0; round < 10_001; round++) {
      await ledger.pause('run')
      await ledger.resume('run')
    }
    const poll = await ledger.store.poll({ since: cursor })
    expect(poll.steered).toBe(null)
    expect((await ledger.store.poll({ since: poll.cursor })).steered).toEqual([])
  })
})
