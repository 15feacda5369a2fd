import { expect, it } from 'vitest'
import { describeLedger, pruneLedger, rolesSql, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { LEDGER_TABLES } from '../../../src/stores/postgres/ledger-tables.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'

const { run, newSchema, address } = useDatabase()

/** A ledger of its owner, and a spender and a reader who log in. */
async function createRoles() {
  const { schema, url } = await newSchema()
  const owner = openStoreAt(url)
  await openScope(owner, 'run')
  await spend(owner, 'run', 'of-the-owner')
  await run(rolesSql(schema), rolesSql(schema))
  const login = async (role: string) => {
    const user = `${role}_of_${schema}`
    await run(`CREATE ROLE ${user} LOGIN PASSWORD 'made-up' IN ROLE stint_${role}`)
    return address(schema, { user })
  }
  return { schema, owner, url, spender: await login('spender'), reader: await login('reader') }
}

const REFUSED = {
  code: 'store_unavailable',
  message: expect.stringMatching(/refused a right that the user needs; see `stint ledger roles` \(permission denied/),
}

it('a spender can do everything that a ledger does, but cannot rewrite or delete its history', async () => {
  const { schema, spender, url } = await createRoles()
  const store = openStoreAt(spender)
  const atMs = Date.now()
  const limits = [] as const
  await store.open({
    parentId: null,
    scopes: [{ id: 'team', name: 'team', kind: 'lasting', owner: null, limits }],
    atMs,
  })
  await openScope(store, 'mine', 'team')
  for (let call = 0; call < 3; call++) await spend(store, 'mine', `call-${call}`)
  await store.beat({ holder: 'host:1', atMs })
  await store.setLimits({ scopeId: 'mine', limits, atMs })
  await store.close({ scopeId: 'mine', status: 'completed', atMs })
  await store.assume({ holder: 'host:1', atMs })
  const lease = { lease: 'webhook', holder: 'host:1', forMs: 1_000, text: 'cursor', atMs }
  expect(await store.lease(lease)).toMatchObject({ kind: 'held' })
  expect(await store.lease(lease)).toMatchObject({ kind: 'held', text: 'cursor' })
  await store.note({ scopeId: 'team', document: '{}', atMs })
  expect(await store.document({ scopeId: 'team' })).toBe('{}')
  expect(await store.changed({ since: null })).toMatchObject({ roots: [] })
  expect(await verifyLedger(spender)).toMatchObject({ ok: true, problems: [] })
  expect(await describeLedger(spender)).toMatchObject({ rights: 'spender' })
  await expect(pruneLedger(spender, { beforeMs: Date.now(), atMs })).rejects.toMatchObject(REFUSED)
  for (const [right, table] of [
    ['DELETE', 'journal'],
    ['UPDATE', 'journal'],
    ['DELETE', 'calls'],
    ['DELETE', 'scopes'],
    ['UPDATE', 'events'],
    ['UPDATE', 'ledger'],
    ['INSERT', 'sums'],
    ['TRUNCATE', 'keys'],
  ]) {
    const text = `SELECT has_table_privilege('spender_of_${schema}', '${schema}.${table}', '${right}') AS may`
    expect([right, table, ...(await run(text))]).toEqual([right, table, { may: false }])
  }
  expect(await verifyLedger(url)).toMatchObject({ ok: true })
})

it('every table of a ledger is among those that rights are given to', async () => {
  const { schema } = await createRoles()
  const tables = await run(`SELECT tablename::text AS name FROM pg_tables WHERE schemaname = '${schema}'`)
  expect(tables.map(({ name }) => name).toSorted()).toEqual([...LEDGER_TABLES].toSorted())
})

it('a reader can read and verify, but changes nothing', async () => {
  const { owner, reader } = await createRoles()
  const store = openStoreAt(reader)
  // The secret that sessions of the dashboard are signed with is in one.
  await owner.note({ scopeId: 'run', document: '{}', atMs: Date.now() })
  await expect(store.document({ scopeId: 'run' })).rejects.toMatchObject(REFUSED)
  expect(await store.leased({ lease: 'webhook' })).toBeNull()
  expect(await store.read({ scopeId: 'run', atMs: 1 })).toHaveLength(1)
  expect(await store.history({ scopeId: 'run', atMs: 1 })).toMatchObject({ entries: expect.any(Array) })
  expect(await store.sums({ sinceMs: 0, untilMs: Date.now() + 1 })).toHaveLength(1)
  expect(await verifyLedger(reader)).toMatchObject({ ok: true })
  expect(await describeLedger(reader)).toMatchObject({ rights: 'reader' })
  await expect(openScope(store, 'mine')).rejects.toMatchObject(REFUSED)
  await expect(spend(store, 'run', 'mine')).rejects.toMatchObject(REFUSED)
})
