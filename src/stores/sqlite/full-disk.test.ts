import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { type ContractLedger, createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { ledgerFile, openLedger, readAll } from './ledger-file.fixture.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

/** A ledger, and the connection of its store, to fill up its disk. */
async function ledgerOnSmallDisk(): Promise<{ ledger: ContractLedger; file: string; connection: DatabaseSync }> {
  const connections: DatabaseSync[] = []
  class WatchedDatabase extends DatabaseSync {
    constructor(address: string) {
      super(address)
      connections.push(this)
    }
  }
  const sqlite = process.getBuiltinModule('node:sqlite')
  const spy = vi.spyOn(process, 'getBuiltinModule')
  spy.mockImplementation(((name: string) => {
    return name === 'node:sqlite' ? { ...sqlite, DatabaseSync: WatchedDatabase } : undefined
  }) as typeof process.getBuiltinModule)
  onTestFinished(() => spy.mockRestore())
  const file = ledgerFile()
  const ledger = createContractLedger(openLedger(file))
  await ledger.open('team', [limitFixture('tokens', 1_000_000)])
  await ledger.open('team/run', [limitFixture('tokens', 900_000)])
  return { ledger, file, connection: connections.at(-1)! }
}

function pagesOf(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA page_count').get()!.page_count)
}

describe('I6: a disk that is full', () => {
  it('fails what does not fit as a whole, and continues when there is room', async () => {
    const { ledger, file, connection } = await ledgerOnSmallDisk()
    const granted = new Set<string>()
    const reserveMany = (round: string) =>
      Promise.allSettled(
        Array.from({ length: 200 }, async (_, call) => {
          const reservationId = `${round} ${call}`
          const outcome = await ledger.reserve('team/run', { tokens: 1 }, { reservationId })
          if (outcome.kind === 'granted') granted.add(reservationId)
        }),
      )
    await reserveMany('before')
    connection.exec(`PRAGMA max_page_count = ${pagesOf(connection) + 6}`)
    const ends = await reserveMany('full')
    const failed = ends.filter((end) => end.status === 'rejected')
    expect(failed.length).toBeGreaterThan(0)
    for (const { reason } of failed) {
      expect(reason).toMatchObject({ code: 'store_unavailable', retryable: true })
      expect(reason.message).toContain(file)
    }
    expect((await ledger.limit('team', 'tokens')).reserved).toBe(granted.size)
    expect(verifyLedger(file).problems).toEqual([])

    connection.exec('PRAGMA max_page_count = 100000')
    await reserveMany('full')
    expect(granted.size).toBe(400)
    const settled = await Promise.all([...granted].map((id) => ledger.settle(id)))
    expect(new Set(settled.map(({ kind }) => kind))).toEqual(new Set(['settled']))
    const open = await ledger.store.reservations({ state: 'open' })
    expect(open).toEqual([])
    for (const { totals } of await readAll(ledger.store)) expect(totals.tokens).toEqual({ settled: 400, reserved: 0 })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('that is noticed only at the commit fails the whole transaction, and leaves nothing of it', async () => {
    const { ledger, file, connection } = await ledgerOnSmallDisk()
    const exec = connection.exec.bind(connection)
    let failures = 3
    const spy = vi.spyOn(connection, 'exec').mockImplementation((sql) => {
      if (sql === 'COMMIT' && failures-- > 0) throw Object.assign(new Error('disk is full'), { errcode: 13 })
      exec(sql)
    })
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => ledger.reserve('team/run', { tokens: 5 })))
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']))
    failures = 0
    expect(await readAll(ledger.store)).toMatchObject([{ totals: { tokens: { reserved: 0 } } }, {}])
    await ledger.spend('team/run', { tokens: 7 })
    spy.mockRestore()
    expect(await ledger.settled('team', 'tokens')).toBe(7)
    expect(verifyLedger(file).problems).toEqual([])
  })
})
