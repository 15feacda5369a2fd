import type { Contract } from './contract.ts'
import { madeUpHash } from './contract-ledger.ts'

/** Gateway keys: who may spend from which scope. */
export function describeKeys({ describe, test, expect }: Contract): void {
  describe('a key', () => {
    test('is stored with its creator, and found by its hash', async (ledger) => {
      await ledger.open('team')
      await ledger.open('team/run')
      const expiresAtMs = ledger.atMs + 60_000
      const added = await ledger.addKey('team/run', 'one', { name: 'ci', by: 'ann', expiresAtMs })
      const key = {
        id: 'one',
        scopeId: 'team/run',
        scopePath: 'team/run',
        hash: madeUpHash('one'),
        name: 'ci',
        createdBy: 'ann',
        createdAtMs: ledger.atMs,
        expiresAtMs,
        revokedBy: null,
        revokedAtMs: null,
      }
      expect(added).toEqual({ kind: 'added', key })
      expect(await ledger.store.keyByHash({ hash: madeUpHash('one') })).toEqual(key)
      expect(await ledger.store.keyByHash({ hash: madeUpHash('two') })).toBe(null)
      expect(await ledger.store.keys({})).toEqual([key])
    })

    test('without a name, an expiry and a creator is stored without them', async (ledger) => {
      await ledger.open('run')
      const nothing = { name: null, createdBy: null, expiresAtMs: null }
      expect(await ledger.addKey('run', 'one')).toMatchObject({ kind: 'added', key: nothing })
    })

    test('that is sent twice is stored once; another with its id or its hash is refused', async (ledger) => {
      await ledger.open('run')
      await ledger.open('other')
      const added = await ledger.addKey('run', 'one', { by: 'ann' })
      expect(await ledger.addKey('run', 'one', { by: 'ben' })).toEqual({ ...added, kind: 'duplicate' })
      expect(await ledger.addKey('other', 'one')).toEqual({ kind: 'conflict' })
      expect(await ledger.addKey('run', 'one', { hash: madeUpHash('two') })).toEqual({ kind: 'conflict' })
      expect(await ledger.addKey('run', 'two', { hash: madeUpHash('one') })).toEqual({ kind: 'conflict' })
      expect(await ledger.store.keys({})).toHaveLength(1)
    })

    test('is revoked once, and stays known as revoked', async (ledger) => {
      await ledger.open('run')
      await ledger.addKey('run', 'one', { by: 'ann' })
      ledger.atMs += 1_000
      const revoke = (by: string) => ledger.store.revokeKey({ keyId: 'one', by, atMs: ledger.atMs })
      const revoked = await revoke('ben')
      const standing = { createdBy: 'ann', revokedBy: 'ben', revokedAtMs: ledger.atMs }
      expect(revoked).toMatchObject({ kind: 'revoked', key: standing })
      ledger.atMs += 1_000
      expect(await revoke('eve')).toEqual({ ...revoked, kind: 'duplicate' })
      expect(await ledger.store.keyByHash({ hash: madeUpHash('one') })).toMatchObject(standing)
      expect((await ledger.store.keys({}))[0]).toMatchObject(standing)
      expect(await ledger.addKey('run', 'one')).toMatchObject({ kind: 'duplicate', key: standing })
      const unknown = { keyId: 'unknown', atMs: ledger.atMs }
      expect(await ledger.store.revokeKey(unknown)).toEqual({ kind: 'unknown' })
    })

    test('is listed by its scope, the earliest first, and no more than wanted', async (ledger) => {
      for (const path of ['a', 'b']) await ledger.open(path)
      for (const [place, id] of ['fourth', 'third', 'second', 'first'].entries()) {
        await ledger.addKey(place === 1 ? 'b' : 'a', id, { atMs: ledger.atMs - place })
      }
      const ids = async (filter: { readonly scopeId?: string; readonly most?: number }) =>
        (await ledger.store.keys(filter)).map(({ id }) => id)
      expect(await ids({})).toEqual(['first', 'second', 'third', 'fourth'])
      expect(await ids({ scopeId: 'a' })).toEqual(['first', 'second', 'fourth'])
      expect(await ids({ most: 2 })).toEqual(['first', 'second'])
      expect(await ids({ scopeId: 'unknown' })).toEqual([])
    })

    test('of a scope that has ended is not created, and an existing one can still be revoked', async (ledger) => {
      await ledger.open('run')
      await ledger.addKey('run', 'one')
      await ledger.close('run')
      expect(await ledger.addKey('run', 'two')).toEqual({ kind: 'closed', scopeId: 'run' })
      expect(await ledger.store.revokeKey({ keyId: 'one', atMs: ledger.atMs })).toMatchObject({ kind: 'revoked' })
    })

    test('is not steering, and does not distinguish its scope', async (ledger) => {
      await ledger.open('run')
      const { cursor } = await ledger.store.poll({ since: null })
      const before = await ledger.read('run')
      await ledger.addKey('run', 'one')
      await ledger.store.revokeKey({ keyId: 'one', atMs: ledger.atMs })
      expect((await ledger.store.poll({ since: cursor })).steered).toEqual([])
      expect(await ledger.read('run')).toEqual(before)
    })

    test('of one handle is known to the other at once, and revoked by the first that tries', async (ledger) => {
      const { second, atMs } = ledger
      await ledger.open('run')
      await ledger.addKey('run', 'one')
      expect(await second.keyByHash({ hash: madeUpHash('one') })).toMatchObject({ id: 'one', revokedAtMs: null })
      const outcomes = await Promise.all([
        ledger.store.revokeKey({ keyId: 'one', atMs }),
        second.revokeKey({ keyId: 'one', atMs }),
      ])
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['duplicate', 'revoked'])
      expect(await second.keyByHash({ hash: madeUpHash('one') })).toMatchObject({ revokedAtMs: atMs })
    })

    test('is refused without an id, a hash, a scope or a time', async (ledger) => {
      await ledger.open('run')
      await expect(ledger.addKey('nowhere', 'one')).rejects.toThrow(/No scope has the id "nowhere"/)
      await expect(ledger.addKey('run', '', { hash: madeUpHash('one') })).rejects.toThrow(/keyId/)
      for (const hash of ['', 'stint_a-key-by-mistake', 'F'.repeat(64)]) {
        await expect(ledger.addKey('run', 'one', { hash })).rejects.toThrow(/^(?!.*by-mistake).*hash/)
      }
      await expect(ledger.addKey('run', 'one', { name: '' })).rejects.toThrow(/name/)
      await expect(ledger.addKey('run', 'one', { atMs: Number.NaN })).rejects.toThrow(/atMs is/)
      await expect(ledger.addKey('run', 'one', { expiresAtMs: -1 })).rejects.toThrow(/expiresAtMs/)
      expect(await ledger.store.keys({})).toEqual([])
    })
  })
}
