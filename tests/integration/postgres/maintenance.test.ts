import { describe, expect, it } from 'vitest'
import { type createPostgresStore, pruneLedger, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'

const { run, newSchema } = useDatabase()

const DAY_MS = 86_400_000

/** A tree with every kind of row: a finished run, an open one with a call in flight, a request, keys. */
async function createLedger() {
  const { schema, url } = await newSchema()
  const store = openStoreAt(url)
  const team = { id: 'team', name: 'team', kind: 'lasting', owner: null } as const
  await store.open({ parentId: null, scopes: [{ ...team, limits: [] }], atMs: Date.now() })
  await openScope(store, 'old', 'team')
  for (let call = 0; call < 12; call++) await spend(store, 'old', `old-${call}`)
  await store.close({ scopeId: 'old', status: 'completed', atMs: Date.now() })
  await openScope(store, 'new', 'team')
  await spend(store, 'new', 'new-1')
  const inFlight = { scopeId: 'new', amounts: { tokens: 5 }, holder: 'host:1', atMs: Date.now() }
  await store.reserve({ ...inFlight, reservationId: 'open' })
  await store.reserve({ ...inFlight, reservationId: 'lost' })
  await store.settle({ reservationId: 'lost', assumed: true, atMs: Date.now() })
  await openScope(store, 'other')
  await spend(store, 'other', 'other-1')
  return { schema, url, store }
}

async function tokensOf(store: ReturnType<typeof createPostgresStore>, scopeId: string) {
  const path = await store.read({ scopeId, atMs: Date.now() })
  return path?.at(-1)?.totals.tokens.settled
}

describe('stint verify on Postgres', () => {
  it('recomputes every tree while others spend', async () => {
    const { url, store } = await createLedger()
    const spending = Promise.all([1, 2, 3, 4].map((call) => spend(store, 'new', `meanwhile-${call}`)))
    expect(await verifyLedger(url)).toMatchObject({ ok: true, roots: 2, scopes: 4, problems: [] })
    await spending
    expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [] })
  })

  it.each([
    ['a counter', "UPDATE counters SET settled = settled + 1 WHERE scope = 'new'", 'counters', 'new'],
    ['a counter that is gone', "DELETE FROM counters WHERE scope = 'old'", 'counters', 'old'],
    ['a limit', `UPDATE scopes SET status = 'paused' WHERE id = 'new'`, 'scopes', 'new'],
    ['a scope that is gone', `DELETE FROM scopes WHERE id = 'new'`, 'scopes', 'new'],
    [
      'a planted scope',
      `INSERT INTO scopes (id, root, parent, name, kind, labels, opened_at, is_orphaned, status, is_ended,
        occupies_place, revision, limits, series, active_ms, open_children, change, steered, told)
      SELECT 'planted', root, parent, name, kind, labels, opened_at, is_orphaned, status, is_ended, occupies_place, revision,
        limits, series, active_ms, open_children, change, steered, 0 FROM scopes WHERE id = 'new'`,
      'scopes',
      'planted',
    ],
    ['a charge', `UPDATE calls SET charged = replace(charged, '7', '6') WHERE id = 'old-3'`, 'reservations', 'old-3'],
    ['an open call that is gone', `DELETE FROM calls WHERE id = 'open'`, 'reservations', 'open'],
    [
      'a planted call',
      `INSERT INTO calls SELECT 1, 'planted', root, scope, holder, state, at_ms, fixed, elastic, units, reserved,
        charged, crossings, about, ending, facts, ended_at, NULL FROM calls WHERE id = 'old-3'`,
      'reservations',
      'planted',
    ],
    [
      'an event that is gone',
      `DELETE FROM events WHERE number = 1 AND root = (SELECT ordinal FROM scopes WHERE id = 'team')`,
      'events',
      'team',
    ],
    ['an unreadable row', `UPDATE scopes SET limits = 'x' WHERE id = 'new'`, 'scopes', 'new'],
    ['an entry that is gone', `DELETE FROM journal WHERE root = 'team' AND place = 3`, 'journal', / \(of team\)/],
    ['a whole journal that is gone', `DELETE FROM journal WHERE root = 'other'`, 'scopes', 'other'],
    [
      'an entry',
      `ALTER TABLE journal DISABLE TRIGGER USER; UPDATE journal SET body = replace(body, 'old', 'odd') WHERE root = 'team' AND place = 2`,
      'journal',
      / \(of team\)/,
    ],
    ['a key of no tree', `INSERT INTO keys VALUES ('key-1', 'nowhere', 'hash', 1, NULL, '{}')`, 'keys', 'key-1'],
  ])('finds %s', async (_, statement, place, row) => {
    const { schema, url } = await createLedger()
    await run(`SET search_path = ${schema}; ${statement}`)
    const { ok, problems } = await verifyLedger(url)
    expect(ok).toBe(false)
    expect(problems).toContainEqual(
      expect.objectContaining({ place, row: typeof row === 'string' ? row : expect.stringMatching(row) }),
    )
  })

  it('says that there is no ledger', async () => {
    const { url } = await newSchema()
    await expect(verifyLedger(url)).rejects.toMatchObject({ code: 'ledger_missing' })
  })
})

describe('stint prune on Postgres', () => {
  it('removes what ended, keeps totals and sums, and other processes continue', async () => {
    const { schema, url, store } = await createLedger()
    const range = { sinceMs: 0, untilMs: Date.now() + DAY_MS }
    const before = await store.sums(range)
    const options = { beforeMs: Date.now() + 1, atMs: Date.now() }
    const counts = { roots: 2, scopes: 1, reservations: 14 }
    expect(await pruneLedger(url, { ...options, isDryRun: true })).toMatchObject(counts)
    expect(await verifyLedger(url)).toMatchObject({ ok: true, scopes: 4 })
    expect(await pruneLedger(url, options)).toMatchObject(counts)
    expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [], scopes: 3 })
    expect(await run(`SELECT count(*)::int AS entries FROM ${schema}.journal`)).toEqual([{ entries: 2 }])
    expect(await store.sums(range)).toEqual(before)
    expect(await tokensOf(store, 'team')).toBe(13 * 7 + 5)
    // The other process had it all in memory.
    expect(await store.settle({ reservationId: 'old-1', actual: { tokens: 7 }, atMs: Date.now() })).toMatchObject({
      kind: 'unknown',
    })
    expect(await store.settle({ reservationId: 'open', actual: { tokens: 1 }, atMs: Date.now() })).toMatchObject({
      kind: 'settled',
    })
    await spend(store, 'new', 'new-2')
    expect(await tokensOf(store, 'team')).toBe(14 * 7 + 6)
    expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [] })
    // Sums of an hour are added to those that are kept.
    const later = await store.sums(range)
    await pruneLedger(url, { ...options, beforeMs: Date.now() + 1 })
    expect(await store.sums(range)).toEqual(later)
    expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [] })
  })

  it('keeps what is younger, and runs once a day in one of many processes', async () => {
    const { url } = await createLedger()
    const atMs = Date.now()
    expect(await pruneLedger(url, { beforeMs: atMs - DAY_MS, atMs })).toMatchObject({ roots: 0, reservations: 0 })
    const due = { beforeMs: atMs + 1, atMs: atMs + DAY_MS, everyMs: DAY_MS }
    const reports = await Promise.all([1, 2, 3].map(() => pruneLedger(url, due)))
    expect(reports.map(({ reservations }) => reservations).toSorted()).toEqual([0, 0, 14])
  })

  it('removes younger data if too much is in use, but never the last day', async () => {
    const { url } = await createLedger()
    const atMs = Date.now() + 3 * DAY_MS
    const report = await pruneLedger(url, { beforeMs: 0, atMs, mostBytes: 1 })
    expect(report).toMatchObject({ reservations: 14, beforeMs: atMs - DAY_MS })
    expect(await verifyLedger(url)).toMatchObject({ ok: true })
  })
})
