import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSqliteStore, pruneLedger, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../house/temporary-folder.ts'

it('a dry run counts what would be removed, and changes nothing', async () => {
  const file = join(createTemporaryFolder(), 'ledger.db')
  const store = createSqliteStore({ file })
  const team = { id: 'team', name: 'team', kind: 'lasting', owner: null, limits: [] } as const
  await store.open({ parentId: null, scopes: [team], atMs: 1 })
  await store.open({ parentId: 'team', scopes: [{ ...team, id: 'run', name: 'run', kind: 'agent' }], atMs: 1 })
  await store.reserve({ reservationId: 'call', scopeId: 'run', amounts: { tokens: 9 }, holder: 'me', atMs: 1 })
  await store.settle({ reservationId: 'call', actual: { tokens: 7 }, atMs: 2 })
  await store.close({ scopeId: 'run', status: 'completed', atMs: 3 })
  await store.dispose()
  const when = { beforeMs: 10, atMs: 10 }
  const counted = pruneLedger(file, { ...when, isDryRun: true })
  expect(counted).toMatchObject({ roots: 1, scopes: 1, reservations: 1, entries: 5 })
  expect(verifyLedger(file)).toMatchObject({ ok: true, entries: 5, scopes: 2 })
  expect(pruneLedger(file, when)).toEqual(counted)
  expect(verifyLedger(file)).toMatchObject({ ok: true, scopes: 1 })
})
