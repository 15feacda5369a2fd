import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore, Limit, NewScope } from '../../src/core/index.ts'
import { limitFixture } from '../../src/core/limits/limit.fixture.ts'
import { createSqliteStore, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { isHolderAlive } from '../../src/system/index.ts'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { startRemoteStore } from './start-remote-store.ts'

const atMs = Date.UTC(2026, 10, 16, 12)

/** A ledger with one scope, `pool`, and a store of this process on it. */
async function ledgerWithPool(limits: readonly Limit[]): Promise<{ file: string; store: LedgerStore }> {
  const file = join(createTemporaryFolder(), 'ledger.db')
  const store = createSqliteStore({ file })
  onTestFinished(() => store.dispose())
  await store.open({ parentId: null, scopes: [scopeOf('pool', null, { limits })], atMs })
  return { file, store }
}

function scopeOf(id: string, owner: string | null, more: Partial<NewScope> = {}): NewScope {
  return { id, name: id, kind: 'agent', owner, limits: [], ...more }
}

function childOf(id: string, owner: string, more: Partial<NewScope> = {}) {
  return { parentId: 'pool', scopes: [scopeOf(id, owner, more)], atMs }
}

async function poolOf(store: LedgerStore) {
  return (await store.read({ scopeId: 'pool', atMs }))!.at(-1)!
}

describe('many processes on one ledger', () => {
  it.each([
    ['toolCalls', false],
    ['tokens', true],
  ] as const)(
    'B5: of 1,000 reserves on %s from 8 processes with room for 10, exactly 10 are granted',
    async (meter, later) => {
      const { file, store } = await ledgerWithPool([limitFixture(meter, 10)])
      const remotes = await Promise.all(Array.from({ length: 8 }, () => startRemoteStore(file)))
      const rounds = remotes.map(({ holder, run }, remote) => {
        const request = (call: number) => ({ reservationId: `${remote}-${call}`, scopeId: 'pool', holder, atMs })
        return run(
          'reserve',
          Array.from({ length: 125 }, (_, call) => ({ ...request(call), amounts: { [meter]: 1 }, patient: true })),
        )
      })
      const outcomes = (await Promise.all(rounds)).flat()
      const granted = outcomes.filter(({ kind }) => kind === 'granted')
      const breached = outcomes.filter((outcome) => outcome.kind === 'breached')
      expect(granted).toHaveLength(10)
      expect(breached).toHaveLength(990)
      // Tool calls in flight count; tokens in flight may yet be given back, so that there is something to wait for.
      expect(new Set(breached.map(({ mayFitLater }) => mayFitLater))).toEqual(new Set([later]))
      expect((await poolOf(store)).totals[meter]).toEqual({ settled: 0, reserved: 10 })
      expect(verifyLedger(file).problems).toEqual([])
    },
  )

  it('B7: with spawns 2 and two batches of 2 from two processes at once, one is granted whole and the other refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { file, store } = await ledgerWithPool([limitFixture('spawns', 2)])
      const remotes = await Promise.all([startRemoteStore(file), startRemoteStore(file)])
      const batches = remotes.map(({ holder, run }, remote) => {
        const scopes = [scopeOf(`${remote}-a`, holder), scopeOf(`${remote}-b`, holder)]
        return run('open', [{ parentId: 'pool', scopes, atMs }])
      })
      const kinds = (await Promise.all(batches)).map(([outcome]) => outcome!.kind)
      expect(kinds.toSorted()).toEqual(['opened', 'refused'])
      const winner = kinds.indexOf('opened')
      const children = await store.list({ standing: 'all', parentId: 'pool', atMs })
      expect(children.map(({ id }) => id)).toEqual([`${winner}-a`, `${winner}-b`])
      expect((await poolOf(store)).totals.spawns.settled).toBe(2)
    }
  })

  it('the events of a tree that four processes write are numbered without gaps, in order, each once', async () => {
    const { file, store } = await ledgerWithPool([])
    const remotes = await Promise.all(Array.from({ length: 4 }, () => startRemoteStore(file)))
    const rounds = remotes.map(async ({ holder, run }, remote) => {
      const calls = Array.from({ length: 50 }, (_, call) => ({ reservationId: `${remote}-${call}`, atMs }))
      await run('open', [childOf(`child-${remote}`, holder)])
      const asked = { scopeId: `child-${remote}`, holder, amounts: { toolCalls: 1 } }
      await run(
        'reserve',
        calls.map((call) => ({ ...call, ...asked })),
      )
      await run('settle', calls)
      await run('close', [{ scopeId: `child-${remote}`, status: 'completed', atMs }])
    })
    await Promise.all(rounds)
    const page = await store.history({ scopeId: 'pool', atMs })
    if (page.kind !== 'page') throw new Error(`expected a page, got ${page.kind}`)
    // The pool and four children were opened, 200 calls settled, and four children closed.
    expect(page.entries.map(({ number }) => number)).toEqual(Array.from({ length: 209 }, (_, place) => place + 1))
    expect(new Set(page.entries.flatMap(({ call }) => call?.id ?? [])).size).toBe(200)
    for (const remote of remotes.keys()) {
      const own = page.entries.filter(({ event }) => event.scope === `child-${remote}`).map(({ event }) => event.event)
      expect([own[0], own.at(-1), own.length]).toEqual(['scope_opened', 'scope_closed', 52])
    }
  })

  it('B14: a child killed with -9 frees its place', async () => {
    const { file, store } = await ledgerWithPool([limitFixture('concurrency', 2)])
    const [one, other] = await Promise.all([startRemoteStore(file), startRemoteStore(file)])
    await one.run('open', [childOf('one', one.holder)])
    await other.run('open', [childOf('other', other.holder)])
    expect(await store.open(childOf('third', 'here'))).toMatchObject({ kind: 'refused', mayFitLater: true })
    await one.kill()
    expect([isHolderAlive(one.holder), isHolderAlive(other.holder)]).toEqual([false, true])
    expect(await store.assume({ holder: one.holder, atMs })).toMatchObject({ orphanedScopes: ['one'] })
    expect(await store.open(childOf('third', 'here'))).toMatchObject({ kind: 'opened', created: ['third'] })
    expect(await store.open(childOf('fourth', 'here'))).toMatchObject({ kind: 'refused' })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it("E12: a killed child's hold is freed and never charged, and its calls in flight are assumed once", async () => {
    const { file, store } = await ledgerWithPool([limitFixture('tokens', 1_000)])
    const child = await startRemoteStore(file)
    const hold = { wanted: { tokens: 300 }, smallest: { tokens: 100 } }
    await child.run('open', [childOf('child', child.holder, { hold })])
    const call = { reservationId: 'call', scopeId: 'child', amounts: { tokens: 40 }, holder: child.holder, atMs }
    await child.run('reserve', [call])
    expect((await poolOf(store)).limits[0]).toMatchObject({ settled: 0, reserved: 40, held: 300 })
    await child.kill()
    const { reservations } = await store.assume({ holder: child.holder, atMs })
    expect(reservations).toMatchObject([{ reservationId: 'call', charged: { tokens: 40 } }])
    expect((await poolOf(store)).limits[0]).toMatchObject({ settled: 40, reserved: 0, held: 0, remaining: 960 })
    expect(await store.assume({ holder: child.holder, atMs })).toEqual({ reservations: [], orphanedScopes: [] })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('E1: a pause of a killed process is resumed elsewhere, once, with its document and its counters', async () => {
    const { file, store } = await ledgerWithPool([])
    const child = await startRemoteStore(file)
    await child.run('open', [childOf('child', child.holder, { limits: [limitFixture('tokens', 100)] })])
    const call = { reservationId: 'call', scopeId: 'child', amounts: { tokens: 70 }, holder: child.holder, atMs }
    await child.run('reserve', [call])
    await child.run('settle', [{ reservationId: 'call', actual: { tokens: 60 }, atMs }])
    const document = JSON.stringify({ messages: ['a conversation'] })
    await child.run('pause', [{ scopeId: 'child', reason: 'a limit', document, activeMs: 1_500, atMs }])
    await child.kill()
    await store.assume({ holder: child.holder, atMs })
    const next = await Promise.all([startRemoteStore(file), startRemoteStore(file)])
    const resumed = next.map(({ holder, run }) => run('resume', [{ scopeId: 'child', owner: holder, atMs }]))
    const outcomes = (await Promise.all(resumed)).flat()
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['not-paused', 'resumed'])
    expect(outcomes.find(({ kind }) => kind === 'resumed')).toMatchObject({ document, activeMs: 1_500 })
    const later = { ...call, holder: 'another' }
    const over = { ...later, reservationId: 'over', amounts: { tokens: 41 } }
    expect(await store.reserve(over)).toMatchObject({ kind: 'breached' })
    expect(await store.reserve({ ...later, reservationId: 'fits', amounts: { tokens: 40 } })).toMatchObject({
      kind: 'granted',
    })
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('with different SQLite libraries, on a ledger without a write-ahead log, all succeed and nothing is lost', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const first = await startRemoteStore(file, 'libsql')
    await first.run('open', [{ parentId: null, scopes: [scopeOf('pool', null)], atMs }])
    const callers = Array.from({ length: 16 }, (_, name) => ({ scopeId: 'pool', name: String(name), calls: 40 }))
    // Those who come later open the ledger while the others write it all the time.
    const later = (['libsql', 'libsql', 'libsql', 'own'] as const).map(async (library) => {
      const remote = await startRemoteStore(file, library)
      return remote.spend(callers)
    })
    const settled = await Promise.all([first.spend(callers), ...later])
    expect(settled.flat().reduce((sum, calls) => sum + calls)).toBe(5 * 16 * 40)
    const store = createSqliteStore({ file })
    onTestFinished(() => store.dispose())
    expect((await poolOf(store)).totals.tokens).toEqual({ settled: 5 * 16 * 40 * 2, reserved: 0 })
    expect(verifyLedger(file).problems).toEqual([])
  })
})
