import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** Scopes that continue after a pause, or after their owner died. */
export function describeResuming({ describe, test, expect }: Contract): void {
  const hold = { wanted: { tokens: 300 }, smallest: {} }

  describe('a resume', () => {
    test('E1: continues with counters intact, once; a second one is refused', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000)])
      await ledger.spend('run', { tokens: 40 })
      await ledger.pause('run', { document: 'so far', activeMs: 5_000, by: 'ann' })
      const resumed = await ledger.resume('run', { hold, by: 'bob' })
      expect(resumed).toMatchObject({ kind: 'resumed', pause: { by: 'ann' }, document: 'so far', activeMs: 5_000 })
      expect(await ledger.read('run')).toMatchObject({ status: 'running', pause: null, owner: 'process' })
      expect(await ledger.limit('run', 'tokens')).toMatchObject({ settled: 40, held: 300 })
      expect(await ledger.resume('run')).toEqual({ kind: 'not-paused', status: 'running', owner: 'process' })
      expect((await ledger.reserve('run', { tokens: 660 })).kind).toBe('granted')
    })

    test('that two callers request at once succeeds once', async (ledger) => {
      await ledger.open('run')
      await ledger.pause('run')
      const resume = (owner: string) => ledger.store.resume({ scopeId: 'run', owner, atMs: ledger.atMs })
      const outcomes = await Promise.all([resume('first'), resume('second')])
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['not-paused', 'resumed'])
    })

    test('may name a new owner, whose death then matters instead of the former owner’s', async (ledger) => {
      await ledger.open('run', [], { owner: 'first' })
      await ledger.pause('run')
      expect((await ledger.resume('run', { owner: 'second' })).kind).toBe('resumed')
      expect((await ledger.read('run')).owner).toBe('second')
      const assume = (holder: string) => ledger.store.assume({ holder, atMs: ledger.atMs })
      expect((await assume('first')).orphanedScopes).toEqual([])
      expect((await assume('second')).orphanedScopes).toEqual(['run'])
    })

    test('adopts a scope whose owner died, with its document and its time, without a second spawn', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 1_000), limitOn('spawns', 1)])
      await ledger.open('run/agent', [], { owner: 'dead', hold })
      await ledger.store.note({ scopeId: 'run/agent', activeMs: 70, document: 'so far', atMs: ledger.atMs })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect(await ledger.read('run/agent')).toMatchObject({ isOrphaned: true, owner: 'dead', status: 'running' })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 0 })
      const resumed = await ledger.resume('run/agent', { owner: 'alive', hold })
      expect(resumed).toEqual({ kind: 'resumed', pause: null, document: 'so far', activeMs: 70 })
      expect(await ledger.read('run/agent')).toMatchObject({ isOrphaned: false, owner: 'alive', status: 'running' })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1, totals: { spawns: { settled: 1 } } })
      expect((await ledger.limit('run', 'tokens')).held).toBe(300)
      expect((await ledger.resume('run/agent', { owner: 'third' })).kind).toBe('not-paused')
    })

    test('needs an owner if the last one died', async (ledger) => {
      await ledger.open('run', [], { owner: 'dead' })
      await ledger.pause('run', { reason: 'lunch' })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      expect(await ledger.resume('run')).toEqual({ kind: 'no-owner' })
      expect(await ledger.read('run')).toMatchObject({ status: 'paused', isOrphaned: true, pause: { reason: 'lunch' } })
      expect(await ledger.resume('run', { owner: 'alive' })).toMatchObject({
        kind: 'resumed',
        pause: { reason: 'lunch' },
      })
      expect(await ledger.read('run')).toMatchObject({ status: 'running', isOrphaned: false, owner: 'alive' })
    })

    test('can be limited to one pause: the answer to another question lifts nothing', async (ledger) => {
      await ledger.open('run')
      await ledger.pause('run', { requestId: 'second question' })
      const resume = (requestId: string) => ledger.resume('run', { requestId }).then(({ kind }) => kind)
      expect([await resume('first question'), await resume('second question')]).toEqual(['not-paused', 'resumed'])
      expect(await resume('second question')).toBe('not-paused')
    })

    test('of a scope that runs changes nothing, not even its owner', async (ledger) => {
      await ledger.open('run')
      const stolen = await ledger.resume('run', { owner: 'thief' })
      expect(stolen).toEqual({ kind: 'not-paused', status: 'running', owner: 'process' })
      expect((await ledger.read('run')).owner).toBe('process')
    })

    test('of a scope that was left behind and then ended brings nothing back', async (ledger) => {
      await ledger.open('run', [], { owner: 'dead' })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      await ledger.close('run')
      const late = await ledger.resume('run', { owner: 'alive' })
      expect(late).toMatchObject({ kind: 'not-paused', status: 'completed' })
      expect(await ledger.read('run')).toMatchObject({ status: 'completed', owner: 'dead' })
    })

    test('can be followed by another pause', async (ledger) => {
      await ledger.open('run')
      for (const reason of ['first', 'second']) {
        expect(await ledger.pause('run', { reason })).toMatchObject({ kind: 'paused', pause: { reason } })
        expect(await ledger.resume('run')).toMatchObject({ kind: 'resumed', pause: { reason } })
      }
      expect((await ledger.reserve('run', { tokens: 1 })).kind).toBe('granted')
    })
  })
}
