import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { createFactReader, type FactReader } from '../records/journal/compact-facts.ts'
import { hashEntry } from '../records/journal/journal.ts'
import { editLedger, ledgerFile, NOON, openLedger, usedLedger, valueIn } from './ledger-file.fixture.ts'
import { pruneLedger } from './prune-ledger.ts'
import { MIGRATIONS } from './schema.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const CEILING = limitFixture('toolCalls', 7, { source: { layer: 'ceiling', written: 'toolCalls' } })

const BACK_TO_SCHEMA_5 = `
  DROP TABLE kept; ALTER TABLE scopes DROP COLUMN watch;
  INSERT INTO reservations SELECT calls.id, scopes.id, holder, state, at_ms, sequence, coalesce(fixed, reserved), elastic,
    units, reserved, charged, crossings FROM calls JOIN scopes ON scopes.ordinal = calls.scope;
  DROP TABLE sums; ALTER TABLE ledger DROP COLUMN pruned_at; DROP TABLE calls; DROP TABLE events; DROP TABLE denials; ALTER TABLE ledger DROP COLUMN scopes_before;
  ALTER TABLE scopes DROP COLUMN about; ALTER TABLE scopes DROP COLUMN told; ALTER TABLE scopes DROP COLUMN forgotten;
  PRAGMA user_version = 5`

/** Writes every fact of the journal as earlier versions did, without these fields, and recomputes the chain. */
function withoutFields(database: DatabaseSync, names: readonly string[]): void {
  database.exec('DROP TRIGGER journal_is_append_only')
  const heads = new Map<string, Uint8Array>()
  const readers = new Map<string, FactReader>()
  for (const row of database.prepare('SELECT entry, root, place, body, totals FROM journal ORDER BY entry').all()) {
    const { entry, root, place, totals } = row as { entry: number; root: string; place: number; totals: string | null }
    const reader = readers.get(root) ?? createFactReader()
    readers.set(root, reader)
    const facts = reader
      .factsIn(row.body as string)
      .map((fact) => ('charged' in fact ? { ...fact, sequence: undefined } : fact))
    const body = JSON.stringify(facts.length === 1 ? facts[0] : facts, (name, value) => {
      return names.includes(name) ? undefined : value
    })
    const hash = hashEntry(heads.get(root) ?? new Uint8Array(32), root, place, body, totals)
    heads.set(root, hash)
    database.prepare('UPDATE journal SET body = ?, hash = ? WHERE entry = ?').run(body, hash, entry)
  }
  database.exec(`CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END`)
}

/** A ledger of schema 5: without events, and with only the amounts of its calls. */
async function ledgerOfSchema5(): Promise<string> {
  const file = await usedLedger()
  const database = new DatabaseSync(file)
  database.exec(BACK_TO_SCHEMA_5)
  withoutFields(database, ['usage', 'price'])
  database.close()
  return file
}

/** A ledger of schema 3: also without ceilings, heartbeats or stamps, in its tables and in its journal. */
async function ledgerOfSchema3(): Promise<string> {
  const file = await usedLedger()
  const store = openLedger(file)
  await createContractLedger(store).open('bounded', [CEILING])
  await store.dispose()
  const database = new DatabaseSync(file)
  database.exec(BACK_TO_SCHEMA_5)
  database.exec(`DROP TRIGGER scopes_of_schema_4; DROP TRIGGER ledger_of_schema_4; DROP TABLE holders;
    DROP INDEX scopes_named; ALTER TABLE scopes DROP COLUMN ceilings; ALTER TABLE ledger DROP COLUMN stamp`)
  withoutFields(database, ['usage', 'price', 'ceilings'])
  database.exec('PRAGMA user_version = 3')
  database.close()
  return file
}

/** The connection of a process that knows nothing of newer schemas. */
function plainConnection(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  return database
}

const MOVED_ON = /this ledger was migrated to schema 4 by a newer Stint; end this process and start it with that one/

describe('a ledger of schema 3', () => {
  it('is migrated to the newest, with the ceilings among its limits', async () => {
    const file = await ledgerOfSchema3()
    const ledger = createContractLedger(openLedger(file))
    expect(valueIn(file, 'PRAGMA user_version')).toBe(MIGRATIONS.length)
    expect((await ledger.read('bounded')).ceilings).toEqual([CEILING])
    expect((await ledger.read('team/run')).ceilings).toEqual([])
    expect(verifyLedger(file).problems).toEqual([])
    await ledger.store.setLimits({ scopeId: 'bounded', limits: [limitFixture('toolCalls', 99)], atMs: NOON })
    expect((await ledger.limit('bounded', 'toolCalls')).limit.max).toBe(7)
    await ledger.store.beat({ holder: 'process', atMs: NOON })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('refuses what a process of that version still writes, with the reason, and keeps nothing of it', async () => {
    const file = await ledgerOfSchema3()
    const old = plainConnection(file)
    // As in that version, prepared before the file was migrated.
    const reserve = old.prepare('INSERT INTO reservations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const append = old.prepare('INSERT INTO journal (root, place, body, totals, hash) VALUES (?, ?, ?, ?, ?)')
    const writeLedger = old.prepare('UPDATE ledger SET sequence = ?, change = ?')
    const touchScope = old.prepare('UPDATE scopes SET active_ms = ?, open_children = ?, change = ? WHERE id = ?')
    const writePruned = old.prepare('UPDATE ledger SET change = change + 1, pruned = change + 1')
    const writeScope = old.prepare(`INSERT INTO scopes (id, root, parent, name, kind, labels, opened_at, owner,
        is_orphaned, status, is_ended, closed_at, pause, occupies_place, revision, limits, series, active_ms,
        open_children, change, steered)
      VALUES (?, ?, NULL, ?, 'agent', '{}', 0, 'old', 0, 'running', 0, NULL, NULL, 0, 1, '[]', '[]', 0, 0, 1, 0)
      ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, limits = excluded.limits`)
    const store = openLedger(file)
    const ledger = createContractLedger(store)
    const isGranted = async (reservationId: string): Promise<boolean> =>
      (await ledger.reserve('team/run', { tokens: 1 }, { reservationId })).kind === 'granted'
    expect(await isGranted('before it tries')).toBe(true)

    const transaction = (statements: () => void): void => {
      old.exec('BEGIN IMMEDIATE')
      try {
        statements()
        old.exec('COMMIT')
      } catch (error) {
        old.exec('ROLLBACK')
        throw error
      }
    }
    const grant = (): void => {
      const amounts = '[0,0,5,0,0,0,0,0,0]'
      reserve.run('from before', 'team/run', 'old', 'open', NOON, 999, amounts, null, 0, amounts, null, null)
      append.run('team', 999, '{}', '[]', new Uint8Array(32))
      writeLedger.run(999, 999)
    }
    expect(() => transaction(grant)).toThrow(MOVED_ON)
    const touch = (): void => {
      touchScope.run(1, 0, 999, 'team')
      writeLedger.run(1, 999)
    }
    expect(() => transaction(touch)).toThrow(MOVED_ON)
    expect(() => transaction(() => void writePruned.run())).toThrow(MOVED_ON)
    expect(() => writeScope.run('new', 'new', 'new')).toThrow(MOVED_ON)
    expect(() => writeScope.run('team', 'team', 'team')).toThrow(MOVED_ON)
    expect(verifyLedger(file).problems).toEqual([])
    expect(await isGranted('after it tried')).toBe(true)
  })
})

describe('a ledger of schema 5', () => {
  it('keeps its reservations where they were until they are charged', async () => {
    const file = await ledgerOfSchema5()
    const old = (id: string): number => Number(valueIn(file, `SELECT count(*) FROM reservations WHERE id = '${id}'`))
    const store = openLedger(file)
    const open = await store.reservations({ state: 'open' })
    expect(open.map(({ id, about, endedAtMs }) => ({ id, about, endedAtMs }))).toEqual([
      { id: 'in flight', about: null, endedAtMs: null },
    ])
    expect(await store.reservations({ state: 'settled', scopeId: 'team/old' })).toHaveLength(20)
    expect(await store.reservations({ state: 'assumed' })).toMatchObject([{ id: 'orphan' }])
    expect((await store.holders()).map(({ holder }) => holder)).toContain('process')
    expect(old('in flight')).toBe(1)
    await store.settle({ reservationId: 'in flight', actual: { tokens: 7, cost: 5 }, atMs: NOON })
    await store.settle({ reservationId: 'orphan', actual: { tokens: 4 }, atMs: NOON })
    expect([old('in flight'), old('orphan')]).toEqual([0, 0])
    expect(valueIn(file, "SELECT state FROM calls WHERE id = 'in flight'")).toBe('settled')
    const again = { reservationId: 'in flight', actual: { tokens: 7, cost: 5 }, atMs: NOON }
    expect(await store.settle(again)).toMatchObject({ kind: 'duplicate' })
    const { entries } = (await store.history({ scopeId: 'team', atMs: NOON })) as { entries: readonly unknown[] }
    expect(entries).toMatchObject([{ number: 1, event: { event: 'call_settled', reservation: 'in flight' } }])
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('lists what ended before as history, and prunes it', async () => {
    const file = await ledgerOfSchema5()
    const store = openLedger(file)
    const ended = async () => (await store.list({ standing: 'ended', endedSinceMs: 0, atMs: NOON })).map(({ id }) => id)
    expect(await ended()).toEqual(['team/old'])
    await store.close({ scopeId: 'solo', status: 'failed', atMs: NOON + 1 })
    expect(await ended()).toEqual(['solo', 'team/old'])
    await store.dispose()
    pruneLedger(file, { beforeMs: NOON + 1, atMs: NOON + 2 })
    expect(valueIn(file, "SELECT count(*) FROM reservations WHERE state NOT IN ('open', 'assumed')")).toBe(0)
    expect(verifyLedger(file).problems).toEqual([])
  })
})

describe('a ledger that a newer Stint migrates', () => {
  it('grants and writes nothing more for a process that has had it open since before, and says why', async () => {
    const file = ledgerFile()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('run', [limitFixture('tokens', 100)])
    await ledger.reserve('run', { tokens: 5 }, { reservationId: 'in flight' })
    const next = MIGRATIONS.length + 1
    editLedger(file, `ALTER TABLE scopes ADD COLUMN more TEXT; PRAGMA user_version = ${next}`)
    const refused = { code: 'ledger_newer', retryable: false }
    await expect(ledger.reserve('run', { tokens: 1 })).rejects.toMatchObject(refused)
    await expect(ledger.settle('in flight')).rejects.toMatchObject(refused)
    await expect(ledger.store.beat({ holder: 'process', atMs: NOON })).rejects.toMatchObject(refused)
    await expect(ledger.read('run')).rejects.toThrow(
      `was migrated from schema ${next - 1} to schema ${next} by a newer Stint while this process had it open`,
    )
    expect(valueIn(file, "SELECT state FROM calls WHERE id = 'in flight'")).toBe('open')
  })
})
