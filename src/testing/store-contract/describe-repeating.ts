import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Repeated operations count once. */
export function describeRepeating({ describe, test, expect }: Contract): void {
  describe('what is sent twice', () => {
    test('reserves once, and refuses another request under the same id', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      const first = await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
      const second = await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
      expect([first, second]).toMatchObject([{ duplicate: false }, { duplicate: true, amounts: { tokens: 60 } }])
      expect((await ledger.limit('run', 'tokens')).reserved).toBe(60)
      const rates = [{ meter: 'tokens', numerator: 1, denominator: 1 } as const]
      const elastic = { least: 1, enough: 1, most: 1, rates }
      await ledger.open('other')
      for (const [path, amounts, more] of [
        ['run', { tokens: 61 }, {}],
        ['run', { tokens: 60 }, { elastic }],
        ['other', { tokens: 60 }, {}],
      ] as const) {
        await expect(ledger.reserve(path, amounts, { reservationId: 'one', ...more })).rejects.toThrow(/already used/)
      }
    })

    test('repeats the crossings of a settlement, in case the first answer was lost', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 90 }, { reservationId: 'one' })
      const settle = () => ledger.store.settle({ reservationId: 'one', actual: null, atMs: ledger.atMs })
      const [first, second] = [await settle(), await settle()]
      expect(second).toMatchObject({ kind: 'duplicate', crossings: [{ crossing: { kind: 'nearing' } }] })
      expect(first.kind === 'settled' && first.crossings).toEqual(second.kind === 'duplicate' && second.crossings)
    })

    test('law 3: settles once, and another amount is a conflict without effect', async (ledger) => {
      await ledger.open('run')
      await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
      const settle = (tokens: number) =>
        ledger.store.settle({ reservationId: 'one', actual: { tokens }, atMs: ledger.atMs }).then(({ kind }) => kind)
      expect([await settle(10), await settle(10), await settle(11)]).toEqual(['settled', 'duplicate', 'conflict'])
      expect((await ledger.store.release({ reservationId: 'one', atMs: ledger.atMs })).kind).toBe('conflict')
      expect(await ledger.settled('run', 'tokens')).toBe(10)
    })

    test('releases once, and a settlement afterwards is a conflict', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 60 }, { reservationId: 'one' })
      const release = () => ledger.store.release({ reservationId: 'one', atMs: ledger.atMs }).then(({ kind }) => kind)
      expect([await release(), await release()]).toEqual(['released', 'duplicate'])
      const settled = await ledger.store.settle({ reservationId: 'one', actual: { tokens: 5 }, atMs: ledger.atMs })
      expect(settled).toMatchObject({ kind: 'conflict', state: 'released' })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 0, reserved: 0 })
    })

    test('law 5: a finished id cannot be reserved again, so that no call goes out under it unseen', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)])
      await ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })
      await ledger.store.release({ reservationId: 'one', atMs: ledger.atMs })
      await expect(ledger.reserve('run', { tokens: 100 }, { reservationId: 'one' })).rejects.toThrow(/finished/)
      expect((await ledger.limit('run', 'tokens')).reserved).toBe(0)
    })

    test('opens once, and another scope under the same id is refused', async (ledger) => {
      await ledger.open('team')
      expect([(await ledger.open('team/run')).kind, (await ledger.open('team/run')).kind]).toEqual(['opened', 'opened'])
      expect(await ledger.settled('team', 'spawns')).toBe(1)
      await ledger.open('other')
      const scope = { id: 'team/run', name: 'run', kind: 'agent', owner: null, limits: [] } as const
      const stolen = ledger.store.open({ parentId: 'other', scopes: [scope], atMs: ledger.atMs })
      await expect(stolen).rejects.toThrow(/already exists/)
      await expect(ledger.open('team/run', [], { name: 'renamed' })).rejects.toThrow(/already exists/)
      expect(await ledger.open('team/run')).toMatchObject({ created: [] })
    })
  })
}
