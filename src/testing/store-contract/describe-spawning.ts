import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** How children are admitted. */
export function describeSpawning({ describe, test, expect }: Contract): void {
  describe('spawns', () => {
    test('announce that their limit is near when a child is opened', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 5)])
      const told: number[] = []
      for (const child of ['a', 'b', 'c', 'd', 'e']) {
        const outcome = await ledger.open(`run/${child}`)
        told.push(outcome.kind === 'opened' ? outcome.crossings.length : -1)
      }
      expect(told).toEqual([0, 0, 0, 1, 0])
      expect((await ledger.open('run/f')).kind).toBe('refused')
    })

    test('count a queued child once, which takes its place when it is opened again', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 2), limitOn('concurrency', 1)], { kind: 'group' })
      const queued = { kind: 'agent', owner: 'process', limits: [], isQueued: true } as const
      const batch = ['a', 'b'].map((name) => ({ ...queued, id: `run/${name}`, name }))
      const entered = await ledger.store.open({ parentId: 'run', scopes: batch, atMs: ledger.atMs })
      expect(entered).toMatchObject({ kind: 'opened', created: ['run/a', 'run/b'] })
      expect(await ledger.read('run/a')).toMatchObject({ status: 'queued' })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 0, totals: { spawns: { settled: 2 } } })
      expect(await ledger.store.open({ parentId: 'run', scopes: batch, atMs: ledger.atMs })).toMatchObject({
        created: [],
      })
      expect(await ledger.open('run/a')).toMatchObject({ kind: 'opened', created: ['run/a'] })
      expect(await ledger.read('run/a')).toMatchObject({ status: 'running' })
      expect(await ledger.open('run/b')).toMatchObject({ kind: 'refused', mayFitLater: true })
      await ledger.close('run/a')
      expect(await ledger.open('run/b')).toMatchObject({ created: ['run/b'] })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1, totals: { spawns: { settled: 2 } } })
      expect((await ledger.open('run/c')).kind).toBe('refused')
    })

    test('a queued child whose owner died starts like any other, with its new owner', async (ledger) => {
      await ledger.open('run', [limitOn('concurrency', 1)], { kind: 'group' })
      await ledger.open('run/a', [], { owner: 'first', isQueued: true })
      await ledger.store.assume({ holder: 'first', atMs: ledger.atMs })
      expect(await ledger.read('run/a')).toMatchObject({ status: 'queued', isOrphaned: true })
      expect(await ledger.open('run/a', [], { owner: 'second' })).toMatchObject({ created: ['run/a'], adopted: [] })
      expect(await ledger.read('run/a')).toMatchObject({ status: 'running', isOrphaned: false, owner: 'second' })
      expect(await ledger.read('run')).toMatchObject({ openChildren: 1 })
    })

    test('wait for siblings that hold half of a limit, and for what was promised to others', async (ledger) => {
      await ledger.open('run', [limitOn('tokens', 100)], { kind: 'group' })
      const child = (name: string, more: object = {}) =>
        ledger.store.open({
          parentId: 'run',
          scopes: [{ id: `run/${name}`, name, kind: 'agent', owner: 'process', limits: [], ...more }],
          needs: { tokens: 20 },
          ...(name === 'c' ? { promised: { tokens: 85 } } : {}),
          atMs: ledger.atMs,
        })
      const hold = { wanted: { tokens: 45 }, smallest: { tokens: 10 } }
      expect(await child('a', { hold })).toMatchObject({ kind: 'opened' })
      expect(await child('b')).toMatchObject({ kind: 'refused', mayFitLater: true, breaches: [{ meter: 'tokens' }] })
      await ledger.close('run/a')
      expect(await child('b')).toMatchObject({ kind: 'opened' })
      expect(await child('c')).toMatchObject({ kind: 'refused', mayFitLater: true, breaches: [{ meter: 'tokens' }] })
    })

    test('do not count a group, which is a plan and not a level of depth', async (ledger) => {
      await ledger.open('team', [limitOn('spawns', 1), limitOn('depth', 0)], { kind: 'lasting', owner: null })
      await ledger.open('team/plan', [], { kind: 'group' })
      expect((await ledger.open('team/plan/a')).kind).toBe('opened')
      expect(await ledger.settled('team', 'spawns')).toBe(1)
      expect((await ledger.open('team/plan/b')).kind).toBe('refused')
    })
  })
}
