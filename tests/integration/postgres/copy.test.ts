import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import {
  pruneLedger as prunePostgres,
  verifyLedger as verifyPostgres,
  writeCopy,
} from '../../../src/stores/postgres/index.ts'
import { createSqliteStore, pruneLedger, readCopy, verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'

const { run, newSchema } = useDatabase()

/** A ledger in a file, part of which was pruned, with something of every kind in it. */
async function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'stint-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ledger.db')
  const store = createSqliteStore({ file })
  onTestFinished(() => store.dispose())
  const team = { id: 'team', name: 'team', kind: 'lasting', owner: null, limits: [] } as const
  await store.open({ parentId: null, scopes: [team], atMs: Date.now() })
  await openScope(store, 'old', 'team')
  await spend(store, 'old', 'old-1')
  await store.close({ scopeId: 'old', status: 'completed', atMs: Date.now() })
  await openScope(store, 'kept', 'team')
  await spend(store, 'kept', 'kept-1')
  pruneLedger(file, { beforeMs: Date.now(), atMs: Date.now() + 1 })
  await openScope(store, 'new', 'team')
  for (let call = 0; call < 20; call++) await spend(store, 'new', `new-${call}`)
  await store.reserve({
    reservationId: 'open',
    scopeId: 'new',
    amounts: { tokens: 5 },
    holder: 'host:1',
    atMs: Date.now(),
  })
  await store.beat({ holder: 'host:1', atMs: Date.now() })
  await store.lease({ lease: 'webhook', holder: 'host:1', forMs: 0, text: 'how far it came', atMs: Date.now() })
  return { file, store }
}

async function seenBy(store: LedgerStore) {
  const scopes = await store.list({ standing: 'all', atMs: 1 })
  const sums = await store.sums({ sinceMs: 0, untilMs: Date.now() + 1 })
  const history = await store.history({ scopeId: 'team', most: 1_000, atMs: 1 })
  const lease = await store.leased({ lease: 'webhook' })
  return { scopes, sums, history, lease, open: await store.reservations({ state: 'open' }) }
}

// What a copy leaves behind: a number of its own, and what is only of use in that store.
const OF_THE_STORE = ['ledger', 'reservations', 'roots']
const COLUMNS_OF_THE_STORE = new Set(['scopes.change', 'scopes.steered', 'scopes.steered_by'])

describe('a ledger in a file, copied into Postgres', () => {
  it('is identical there, verified, and usable', async () => {
    const { file, store } = await createFile()
    const { schema, url } = await newSchema()
    const before = await seenBy(store)
    const tables = new Set<string>()
    const report = await readCopy(file, (copy) => {
      expect(copy.entries).toBeGreaterThan(20)
      return writeCopy(url, copy, ({ table }) => tables.add(table))
    })
    expect(report).toMatchObject({ ok: true, scopes: verifyLedger(file).scopes, problems: [] })
    expect([...tables]).toEqual(expect.arrayContaining(['scopes', 'counters', 'calls', 'events', 'journal', 'holders']))
    const copied = openStoreAt(url)
    expect(await seenBy(copied)).toEqual(before)
    await spend(copied, 'new', 'after')
    expect(await copied.settle({ reservationId: 'open', actual: { tokens: 1 }, atMs: Date.now() })).toMatchObject({
      kind: 'settled',
    })
    await openScope(copied, 'another', 'team')
    expect(await verifyPostgres(url)).toMatchObject({ ok: true, problems: [] })
    await prunePostgres(url, { beforeMs: Date.now(), atMs: Date.now() })
    expect(await verifyPostgres(url)).toMatchObject({ ok: true, problems: [] })
    expect(await run(`SELECT count(*)::int AS roots FROM ${schema}.roots`)).toEqual([{ roots: 1 }])
  })

  it('takes every table and column along that both stores have', async () => {
    const { file } = await createFile()
    const { schema, url } = await newSchema()
    await openScope(openStoreAt(url), 'run')
    const rows = await run(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = '${schema}'`,
    )
    const columns = rows.map(({ name }) => String(name))
    const wanted = columns.filter((name) => {
      return !OF_THE_STORE.includes(name.split('.')[0]!) && !COLUMNS_OF_THE_STORE.has(name)
    })
    const copied = await readCopy(file, async ({ tables }) =>
      tables.flatMap((table) => table.columns.map((column) => `${table.table}.${column.split(' ').at(-1)}`)),
    )
    expect(copied.toSorted()).toEqual(wanted.toSorted())
  })

  it('is refused if the target is not empty, and leaves nothing behind when interrupted', async () => {
    const { file } = await createFile()
    const { schema, url } = await newSchema()
    const stop = new Error('stopped')
    const interrupted = readCopy(file, (copy) =>
      writeCopy(url, copy, ({ table }) => {
        if (table === 'events') throw stop
      }),
    )
    await expect(interrupted).rejects.toThrow('stopped')
    expect(await run(`SELECT count(*)::int AS scopes FROM ${schema}.scopes`)).toEqual([{ scopes: 0 }])
    await readCopy(file, (copy) => writeCopy(url, copy))
    await expect(readCopy(file, (copy) => writeCopy(url, copy))).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/two ledgers cannot be merged. Use another schema/),
    })
    expect(await verifyPostgres(url)).toMatchObject({ ok: true })
  })

  it('cannot change while it is copied', async () => {
    const { file, store } = await createFile()
    let settled = false
    await readCopy(file, async () => {
      void spend(store, 'new', 'meanwhile').then(() => {
        settled = true
      })
      await new Promise(setImmediate)
      expect(settled).toBe(false)
    })
    await expect.poll(() => settled).toBe(true)
  })
})
