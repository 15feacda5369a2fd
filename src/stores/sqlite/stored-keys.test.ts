import { describe, expect, it } from 'vitest'
import { createContractLedger, madeUpHash } from '../../testing/store-contract/contract-ledger.ts'
import { openDatabase } from './database/index.ts'
import { editLedger, errorOf, ledgerFile, NOON, openLedger, usedLedger, valueIn } from './ledger-file.fixture.ts'
import { pruneLedger } from './prune-ledger.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

/** A ledger with three keys: two valid ones, and one that was revoked. */
async function ledgerWithKeys(): Promise<string> {
  const file = await usedLedger()
  const ledger = createContractLedger(openLedger(file))
  await ledger.addKey('team', 'ours', { name: 'ci', by: 'ann' })
  await ledger.addKey('team/run', 'run', { by: 'ann' })
  await ledger.addKey('team', 'old', { by: 'ann' })
  await ledger.store.revokeKey({ keyId: 'old', by: 'ben', atMs: NOON })
  await ledger.store.dispose()
  return file
}

const damages = [
  ['is planted', `INSERT INTO keys SELECT 'planted', scope, 'f', created_at, NULL, body FROM keys WHERE id = 'ours'`],
  ['is planted where no scope is', `INSERT INTO keys VALUES ('planted', 'nowhere', 'f', 0, NULL, '{}')`],
  ['opens another scope', `UPDATE keys SET body = replace(body, '"team/run"', '"team"') WHERE id = 'run'`],
  ['has the hash of another key', `UPDATE keys SET hash = '${'a'.repeat(64)}' WHERE id = 'ours'`],
  [
    'is good again',
    `UPDATE keys SET revoked_at = NULL, body = replace(body, '${NOON},"rev', '${NOON}') WHERE id = 'old'`,
  ],
  ['lives longer', `UPDATE keys SET body = replace(body, '"expiresAtMs":null', '"expiresAtMs":9e12') WHERE id = 'run'`],
  ['is gone', `DELETE FROM keys WHERE id = 'ours'`],
] as const

describe('the keys of a ledger in a file', () => {
  it('are in its journal with their creators and revokers, and verify', async () => {
    const file = await ledgerWithKeys()
    expect(verifyLedger(file)).toMatchObject({ ok: true, problems: [] })
    const revoked = valueIn(file, `SELECT body FROM journal WHERE body LIKE '%"key-revoked"%'`)
    const record = { id: 'old', scopeId: 'team', createdBy: 'ann', revokedBy: 'ben', revokedAtMs: NOON }
    expect(JSON.parse(revoked as string)).toMatchObject({ kind: 'key-revoked', at: NOON, key: record })
    expect(valueIn(file, `SELECT count(*) FROM journal WHERE body LIKE '%"key-added"%'`)).toBe(3)
  })

  it.each(damages)('I2: one that %s is found and named', async (_, sql) => {
    const file = await ledgerWithKeys()
    editLedger(file, sql)
    const [problem] = verifyLedger(file).problems
    expect(problem).toMatchObject({ place: 'keys', row: expect.stringMatching(/^(planted|run|ours|old)$/) })
    expect(problem?.problem).not.toMatch(/[0-9a-f]{16}/)
  })

  it('are in a checkpoint; those revoked before it are pruned', async () => {
    const file = await ledgerWithKeys()
    pruneLedger(file, { beforeMs: NOON + 1, atMs: NOON + 1 })
    expect(verifyLedger(file).problems).toEqual([])
    const store = openLedger(file)
    expect((await store.keys({})).map(({ id }) => id)).toEqual(['ours', 'run'])
    expect(await store.revokeKey({ keyId: 'run', by: 'ben', atMs: NOON })).toMatchObject({ kind: 'revoked' })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('are pruned with their scope', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('team/brief')
    await ledger.addKey('team/brief', 'brief')
    await ledger.close('team/brief')
    pruneLedger(file, { beforeMs: NOON + 1, atMs: NOON + 1 })
    expect(await ledger.store.keyByHash({ hash: madeUpHash('brief') })).toBe(null)
    expect(verifyLedger(file).problems).toEqual([])
  })
})

describe('a ledger from before there were keys', () => {
  const olderLedger = (): string => {
    const file = ledgerFile()
    openDatabase({ file, migrations: MIGRATIONS.slice(0, 1), applicationId: APPLICATION_ID }).close()
    return file
  }

  it('accepts keys once it was opened, and verifies', async () => {
    const file = olderLedger()
    const ledger = createContractLedger(openLedger(file))
    await ledger.open('run')
    expect(await ledger.addKey('run', 'one')).toMatchObject({ kind: 'added' })
    await ledger.store.dispose()
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('says what to do first if opened read-only', () => {
    expect(errorOf(() => verifyLedger(olderLedger())).message).toContain('run `stint status` once')
  })
})
