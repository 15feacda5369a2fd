import type { ListFilter, ReservationFilter } from '../../core/index.ts'
import type { Contract } from './contract.ts'

/** Finding scopes, reservations and holders without knowing their ids. */
export function describeListing({ describe, test, expect }: Contract): void {
  describe('the list of scopes', () => {
    test('has the scopes in these states, earliest opened first', async (ledger) => {
      for (const path of ['team', 'team/zoe', 'alone', 'team/ann', 'team/ann/child']) {
        await ledger.open(path)
        ledger.atMs += 1_000
      }
      await ledger.close('team/zoe')
      await ledger.pause('alone')
      const ids = async (filter: Partial<ListFilter>) =>
        (await ledger.store.list({ standing: 'all', atMs: ledger.atMs, ...filter })).map(({ id }) => id)
      expect(await ids({})).toEqual(['team', 'team/zoe', 'alone', 'team/ann', 'team/ann/child'])
      expect(await ids({ standing: 'open' })).toEqual(['team', 'alone', 'team/ann', 'team/ann/child'])
      expect(await ids({ standing: 'ended' })).toEqual(['team/zoe'])
      expect(await ids({ parentId: null })).toEqual(['team', 'alone'])
      expect(await ids({ parentId: 'team' })).toEqual(['team/zoe', 'team/ann'])
      expect(await ids({ parentId: 'team', standing: 'open' })).toEqual(['team/ann'])
      expect(await ids({ parentId: 'nowhere' })).toEqual([])
      expect(await ids({ most: 2 })).toEqual(['team', 'team/zoe'])
      expect(await ids({ most: 1, standing: 'ended' })).toEqual(['team/zoe'])
    })

    test('has those of a kind, with a path, or with an id that starts so, and counts them', async (ledger) => {
      await ledger.open('team', [], { kind: 'lasting', owner: null })
      for (const path of ['team/run', 'team/runner', 'team/run/child', 'alone']) await ledger.open(path)
      await ledger.close('team/runner')
      const same = { name: 'run', kind: 'agent', owner: 'one', limits: [] } as const
      const { store, atMs } = ledger
      await store.open({ parentId: 'team', scopes: [{ ...same, id: 'team/again' }], atMs })
      await store.close({ scopeId: 'team/again', status: 'completed', atMs })
      const find = async (filter: Partial<ListFilter>) => {
        const asked = { standing: 'all', ...filter } as const
        const ids = (await store.list({ ...asked, atMs })).map(({ id }) => id)
        expect(await store.count(asked)).toBe(ids.length)
        return ids
      }
      expect(await find({ path: 'team/run' })).toEqual(['team/run', 'team/again'])
      expect(await find({ path: 'team/run', standing: 'open' })).toEqual(['team/run'])
      expect(await find({ path: 'team/run', idPrefix: 'team/a' })).toEqual(['team/again'])
      expect(await find({ path: 'team/run/child' })).toEqual(['team/run/child'])
      expect(await find({ path: 'alone', parentId: 'team' })).toEqual([])
      for (const path of ['run', 'team/', '/team', '', 'team/unknown', 'team/run/child/more', 'tea']) {
        expect(await find({ path })).toEqual([])
      }
      expect(await find({ idPrefix: 'team/run' })).toEqual(['team/run', 'team/runner', 'team/run/child'])
      expect(await find({ idPrefix: 'team/run', standing: 'ended' })).toEqual(['team/runner'])
      expect(await find({ idPrefix: 'eam' })).toEqual([])
      expect(await find({ idPrefix: '' })).toHaveLength(6)
      expect(await find({ kind: 'lasting' })).toEqual(['team'])
      expect(await find({ kind: 'agent', parentId: null })).toEqual(['alone'])
      expect(await find({ kind: 'agent', idPrefix: 'a' })).toEqual(['alone'])
      expect((await store.list({ standing: 'all', idPrefix: 'team', most: 2, atMs })).map(({ id }) => id)).toEqual([
        'team',
        'team/run',
      ])
      expect(await store.count({ standing: 'open' })).toBe(4)
    })

    test('is in the order of opening, even if a clock went back', async (ledger) => {
      for (const path of ['first', 'second', 'third']) {
        await ledger.open(path)
        ledger.atMs -= 60_000
      }
      const list = await ledger.store.list({ standing: 'all', atMs: ledger.atMs })
      expect(list.map(({ id }) => id)).toEqual(['first', 'second', 'third'])
    })

    test('has the same details as reading each scope', async (ledger) => {
      const openedAtMs = ledger.atMs
      await ledger.open('team', [], { kind: 'lasting', owner: null })
      await ledger.open('team/run', [], { owner: 'dead', labels: { task: 'triage' } })
      await ledger.spend('team/run', { tokens: 5 })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      ledger.atMs += 5_000
      await ledger.close('team/run')
      const list = await ledger.store.list({ standing: 'all', atMs: ledger.atMs })
      expect(list).toEqual(await ledger.store.read({ scopeId: 'team/run', atMs: ledger.atMs }))
      expect(list).toMatchObject([
        { id: 'team', parentId: null, kind: 'lasting', level: -1, owner: null, isOrphaned: false, closedAtMs: null },
        {
          id: 'team/run',
          parentId: 'team',
          name: 'run',
          path: 'team/run',
          kind: 'agent',
          level: 0,
          owner: 'dead',
          isOrphaned: true,
          status: 'completed',
          openedAtMs,
          closedAtMs: ledger.atMs,
          labels: { task: 'triage' },
        },
      ])
    })
  })

  describe('the list of reservations', () => {
    test('has those in a state, of a scope, of a holder', async (ledger) => {
      for (const path of ['a', 'b']) await ledger.open(path)
      for (const [reservationId, path, holder] of [
        ['open', 'a', 'one'],
        ['other', 'b', 'one'],
        ['settled', 'a', 'one'],
        ['released', 'a', 'one'],
        ['assumed', 'a', 'dead'],
      ] as const) {
        await ledger.reserve(path, { tokens: 5, toolCalls: 1 }, { reservationId, holder })
      }
      await ledger.settle('settled', { actual: { tokens: 3 } })
      await ledger.store.release({ reservationId: 'released', atMs: ledger.atMs })
      await ledger.store.assume({ holder: 'dead', atMs: ledger.atMs })
      const ids = async (filter: ReservationFilter) =>
        (await ledger.store.reservations(filter)).map(({ id }) => id).toSorted()
      expect(await ids({ state: 'open' })).toEqual(['open', 'other'])
      expect(await ids({ state: 'open', scopeId: 'b' })).toEqual(['other'])
      expect(await ids({ state: 'open', holder: 'two' })).toEqual([])
      expect(await ids({ state: 'open', most: 1 })).toHaveLength(1)
      expect(await ids({ state: 'assumed', holder: 'dead' })).toEqual(['assumed'])
      expect(await ids({ state: 'open', reservationId: 'other' })).toEqual(['other'])
      expect(await ids({ state: 'open', reservationId: 'other', scopeId: 'a' })).toEqual([])
      expect(await ids({ state: 'open', reservationId: 'settled' })).toEqual([])
      expect(await ids({ state: 'open', reservationId: 'unknown' })).toEqual([])
      const common = {
        scopeId: 'a',
        scopePath: 'a',
        scopeIds: ['a'],
        reserved: { tokens: 5, toolCalls: 1 },
        atMs: ledger.atMs,
        units: 0,
        about: null,
        result: null,
        endedAtMs: ledger.atMs,
      }
      expect([
        ...(await ledger.store.reservations({ state: 'open', scopeId: 'a' })),
        ...(await ledger.store.reservations({ state: 'settled' })),
        ...(await ledger.store.reservations({ state: 'released' })),
        ...(await ledger.store.reservations({ state: 'assumed' })),
      ]).toEqual([
        { ...common, id: 'open', holder: 'one', state: 'open', charged: null, endedAtMs: null },
        { ...common, id: 'settled', holder: 'one', state: 'settled', charged: { tokens: 3, toolCalls: 1 } },
        { ...common, id: 'released', holder: 'one', state: 'released', charged: {} },
        { ...common, id: 'assumed', holder: 'dead', state: 'assumed', charged: { tokens: 5, toolCalls: 1 } },
      ])
    })
  })

  describe('the list of reservations within a scope', () => {
    test('has its own and those of everything below it, and says who pays', async (ledger) => {
      for (const path of ['run', 'run/a', 'run/a/b', 'run/c', 'other']) {
        await ledger.open(path)
        await ledger.reserve(path, { tokens: 5 }, { reservationId: `call of ${path}` })
      }
      const within = (withinId: string, more: Partial<ReservationFilter> = {}) =>
        ledger.store.reservations({ state: 'open', withinId, ...more })
      const ids = async (...asked: Parameters<typeof within>) => (await within(...asked)).map(({ id }) => id)
      expect(await ids('run/a')).toEqual(['call of run/a', 'call of run/a/b'])
      expect(await ids('run')).toHaveLength(4)
      expect(await ids('run', { most: 2 })).toEqual(['call of run', 'call of run/a'])
      expect(await ids('run', { scopeId: 'run/c' })).toEqual(['call of run/c'])
      expect(await ids('run', { reservationId: 'call of other' })).toEqual([])
      expect(await ids('none')).toEqual([])
      expect(await within('run/a/b')).toMatchObject([{ scopeIds: ['run', 'run/a', 'run/a/b'] }])
    })
  })

  describe('the holders', () => {
    test('are those who have a call in flight, or own a scope that has not ended', async (ledger) => {
      const holders = async () => (await ledger.store.holders()).map(({ holder }) => holder).toSorted()
      expect(await holders()).toEqual([])
      await ledger.open('team', [], { kind: 'lasting', owner: null })
      await ledger.open('team/run', [], { owner: 'owner' })
      await ledger.reserve('team/run', { tokens: 1 }, { reservationId: 'one', holder: 'caller' })
      await ledger.reserve('team/run', { tokens: 1 }, { reservationId: 'two', holder: 'caller' })
      expect(await holders()).toEqual(['caller', 'owner'])
      await ledger.pause('team/run')
      await ledger.settle('one')
      expect(await holders()).toEqual(['caller', 'owner'])
      await ledger.settle('two')
      expect(await holders()).toEqual(['owner'])
      await ledger.close('team/run')
      expect(await holders()).toEqual([])
    })
  })
}
