import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { editLedger, ledgerFile, NOON, openLedger, readAll, usedLedger, valueIn } from './ledger-file.fixture.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

/** Does something this many times, a thousand at once. */
async function times(count: number, once: (number: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const size = Math.min(1_000, count - from)
    await Promise.all(Array.from({ length: size }, (_, offset) => once(from + offset)))
  }
}

describe('the SQLite store', () => {
  it('opens and closes 10,000 scopes, and knows each of them', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('team', [limitFixture('spawns', 20_000)])
    await times(10_000, (run) => ledger.open(`team/${run}`))
    expect(await ledger.read('team')).toMatchObject({ openChildren: 10_000, totals: { spawns: { settled: 10_000 } } })
    await times(10_000, (run) => ledger.close(`team/${run}`))
    expect(await ledger.read('team')).toMatchObject({ openChildren: 0, totals: { spawns: { settled: 10_000 } } })
    const ended = await ledger.store.list({ standing: 'ended', parentId: 'team', most: 20_000, atMs: NOON })
    expect(ended.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, run) => `team/${run}`))
    expect(verifyLedger(file)).toMatchObject({ ok: true, scopes: 10_001 })
  })

  it('drops what ended long ago from memory, and gives the same answers', async () => {
    const file = ledgerFile()
    const long = createContractLedger(openLedger(file))
    await long.open('team', [limitFixture('tokens', 10_000), limitFixture('concurrency', 9_000)])
    await long.open('team/going', [limitFixture('tokens', 60)])
    await long.reserve('team/going', { tokens: 50 }, { reservationId: 'going' })
    // Twice as many as it keeps: what is in memory is dropped along the way.
    await times(4_500, async (run) => {
      await long.open(`team/${run}`)
      await long.reserve(`team/${run}`, { tokens: 1 }, { reservationId: `of ${run}` })
      await long.settle(`of ${run}`)
      await long.close(`team/${run}`)
    })
    expect(await long.reserve('team/going', { tokens: 11 }, { reservationId: 'over' })).toMatchObject({
      kind: 'breached',
    })
    expect(await long.settle('going', { actual: { tokens: 40 } })).toMatchObject({ kind: 'settled' })
    expect(await long.settle('of 3')).toMatchObject({ kind: 'duplicate' })
    expect(await long.settled('team', 'tokens')).toBe(4_540)
    expect((await long.read('team')).openChildren).toBe(1)
    const fresh = createContractLedger(openLedger(file))
    for (const path of ['team', 'team/going', 'team/3', 'team/4499']) {
      expect(await fresh.read(path)).toEqual(await long.read(path))
    }
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('recognizes a repeated call by its request, even as stored by the first versions', async () => {
    const file = ledgerFile()
    const elastic = {
      least: 1,
      enough: 5,
      most: 9,
      rates: [{ meter: 'tokens', numerator: 2, denominator: 1 } as const],
    }
    const more = { ...elastic, rates: [{ ...elastic.rates[0]!, numerator: 3 }] }
    const first = openLedger(file)
    await createContractLedger(first).open('run', [limitFixture('tokens', 100)])
    await createContractLedger(first).reserve('run', {}, { reservationId: 'call', elastic })
    await first.dispose()
    for (const text of [valueIn(file, 'SELECT elastic FROM calls'), JSON.stringify(elastic)]) {
      editLedger(file, `UPDATE calls SET elastic = '${text}'`)
      const store = openLedger(file)
      const ledger = createContractLedger(store)
      const again = { reservationId: 'call', elastic }
      expect(await ledger.reserve('run', {}, again)).toMatchObject({ kind: 'granted', duplicate: true, units: 9 })
      await expect(ledger.reserve('run', {}, { ...again, elastic: more })).rejects.toThrow('call')
      await store.dispose()
    }
  })

  it('sees immediately what another process has written, whatever it has in memory', async () => {
    const file = await usedLedger()
    const one = createContractLedger(openLedger(file))
    const other = createContractLedger(openLedger(file))
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one]
      await writer.reserve('team/run', { tokens: 2, toolCalls: 1 }, { reservationId: `round ${round}` })
      expect((await reader.limit('team/run', 'tokens')).reserved).toBe(79)
      expect(await reader.settle(`round ${round}`, { actual: { tokens: 1, toolCalls: 1 } })).toMatchObject({
        kind: 'settled',
      })
      expect(await readAll(writer.store)).toEqual(await readAll(reader.store))
    }
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('answers a thousand concurrent calls in the order in which they were made', async () => {
    const ledger = createContractLedger(openLedger(ledgerFile()))
    await ledger.open('run', [limitFixture('toolCalls', 10)])
    const calls = Array.from({ length: 1_000 }, () => ledger.reserve('run', { toolCalls: 1 }))
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind)
    expect(kinds.slice(0, 10)).toEqual(Array(10).fill('granted'))
    expect(new Set(kinds.slice(10))).toEqual(new Set(['breached']))
  })

  it('fails only the invalid operations of a transaction', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('run', [limitFixture('tokens', 100)])
    const calls = Array.from({ length: 30 }, (_, call) => {
      return ledger.reserve(call % 3 === 0 ? 'no such scope' : 'run', { tokens: 1 })
    })
    const ends = await Promise.allSettled(calls)
    for (const [call, end] of ends.entries()) {
      if (call % 3 === 0) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unknown_scope' } })
      else expect(end).toMatchObject({ status: 'fulfilled', value: { kind: 'granted' } })
    }
    expect((await ledger.limit('run', 'tokens')).reserved).toBe(20)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('finishes everything that it accepted before it is disposed of, and accepts nothing more', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('run')
    const calls = Array.from({ length: 200 }, () => ledger.spend('run', { tokens: 1 }))
    const halves = Promise.allSettled(calls)
    await ledger.store.dispose()
    const done = (await halves).filter(({ status }) => status === 'fulfilled').length
    const later = createContractLedger(openLedger(file))
    const { settled, reserved } = (await later.read('run')).totals.tokens
    expect(settled + reserved).toBe(200)
    expect(settled).toBeGreaterThanOrEqual(done)
    await expect(ledger.spend('run', { tokens: 1 })).rejects.toMatchObject({ code: 'store_unavailable' })
    await ledger.store.dispose()
    expect(valueIn(file, 'PRAGMA journal_mode')).toBe('wal')
  })
})
