import type { LeaseRequest } from '../../../core/index.ts'
import type { Contract } from '../contract.ts'
import type { ContractLedger } from '../contract-ledger.ts'

/** What one process at a time does for all. */
export function describeLeases({ describe, test, expect }: Contract): void {
  const take = (ledger: ContractLedger, holder: string, more: Partial<LeaseRequest> = {}) =>
    ledger.store.lease({ lease: 'webhook', holder, forMs: 1_000, atMs: ledger.atMs, ...more })

  describe('a lease', () => {
    test('is held by one at a time, until it runs out or is given back', async (ledger) => {
      expect(await ledger.store.leased({ lease: 'webhook' })).toBe(null)
      expect(await take(ledger, 'a')).toMatchObject({ kind: 'held', text: null })
      expect(await take(ledger, 'b')).toMatchObject({ kind: 'taken', holder: 'a' })
      expect(await take(ledger, 'b', { lease: 'another' })).toMatchObject({ kind: 'held' })
      ledger.atMs += 900
      expect(await take(ledger, 'a')).toMatchObject({ kind: 'held' })
      ledger.atMs += 900
      expect(await take(ledger, 'b')).toMatchObject({ kind: 'taken' })
      ledger.atMs += 1_000
      expect(await take(ledger, 'b')).toMatchObject({ kind: 'held' })
      expect(await take(ledger, 'a')).toMatchObject({ kind: 'taken', holder: 'b' })
      await take(ledger, 'b', { forMs: 0 })
      expect(await take(ledger, 'a')).toMatchObject({ kind: 'held' })
    })

    test('keeps a text, which only its holder replaces, and the next one gets', async (ledger) => {
      const text = '{"roots":{"it’s":1}}'
      expect(await take(ledger, 'a', { text })).toMatchObject({ kind: 'held', text })
      expect(await take(ledger, 'b', { text: 'not mine' })).toMatchObject({ kind: 'taken', text })
      expect(await take(ledger, 'a')).toMatchObject({ kind: 'held', text })
      ledger.atMs += 1_000
      expect(await take(ledger, 'b')).toMatchObject({ kind: 'held', text })
      expect(await ledger.store.leased({ lease: 'webhook' })).toMatchObject({ holder: 'b', text })
    })

    test('is taken once by many at the same time', async (ledger) => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, place) => take(ledger, `process ${place}`)))
      expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(1)
    })

    test('does not outlast a clock that goes back', async (ledger) => {
      await take(ledger, 'a', { atMs: ledger.atMs + 86_400_000 })
      expect(await take(ledger, 'b')).toMatchObject({ kind: 'held' })
    })

    test('refuses a request that is not well formed', async (ledger) => {
      for (const bad of [
        { forMs: -1 },
        { forMs: 1e9 },
        { lease: '' },
        { holder: '' },
        { text: 'a\0' },
        { atMs: 1.5 },
      ]) {
        await expect(take(ledger, 'a', bad)).rejects.toThrow(/lease/)
      }
    })
  })
}
