import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { limitFixture } from '../../../src/core/limits/limit.fixture.ts'
import { createPostgresStore } from '../../../src/stores/postgres/index.ts'
import { type PostgresServer, startPostgres } from '../../setup/postgres-server.ts'
import { startRemoteStore } from '../start-remote-store.ts'

const PROCESSES = 8
const LIMIT = 1_000

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(['-c', 'fsync=off'])
})
afterAll(() => server.remove())

async function poolOf(store: LedgerStore) {
  return (await store.read({ scopeId: 'pool', atMs: Date.now() }))!.at(-1)!
}

describe('8 processes on one ledger in Postgres', () => {
  it('B5: never overspend; the open calls of killed and frozen processes are assumed, and late settlements correct them', async () => {
    const store = createPostgresStore({ url: server.url })
    onTestFinished(() => store.dispose())
    const pool = {
      id: 'pool',
      name: 'pool',
      kind: 'lasting',
      owner: null,
      limits: [limitFixture('tokens', LIMIT)],
    } as const
    await store.open({ parentId: null, scopes: [pool], atMs: Date.now() })
    const remotes = await Promise.all(Array.from({ length: PROCESSES }, () => startRemoteStore(server.url)))
    const request = (remote: number, call: number) => {
      const { holder } = remotes[remote]!
      return { reservationId: `${remote}-${call}`, scopeId: 'pool', amounts: { tokens: 10 }, holder, atMs: Date.now() }
    }
    const ask = (remote: number, from: number, calls: number) =>
      remotes[remote]!.run(
        'reserve',
        Array.from({ length: calls }, (_, call) => request(remote, from + call)),
      )

    // Room for 100 calls: each of eight processes wants 20.
    const outcomes = await Promise.all(remotes.map((_, remote) => ask(remote, 0, 20)))
    const granted = outcomes.map((each) => each.filter(({ kind }) => kind === 'granted').map((one) => idOf(one)))
    expect(granted.flat()).toHaveLength(100)
    expect((await poolOf(store)).totals.tokens).toEqual({ settled: 0, reserved: LIMIT })

    // One is killed and one frozen, longer than the heartbeat's timeout.
    const [killed, frozen] = [0, 1]
    await remotes[frozen]!.run('beat', [{ holder: remotes[frozen]!.holder, atMs: Date.now() }])
    await remotes[killed]!.kill()
    remotes[frozen]!.freeze()
    const assumed = await Promise.all(
      [killed, frozen].map((remote) => store.assume({ holder: remotes[remote]!.holder, atMs: Date.now() })),
    )
    const orphans = assumed.map(({ reservations }) => reservations.map(({ reservationId }) => reservationId))
    expect(orphans.map((ids) => ids.toSorted())).toEqual([killed, frozen].map((remote) => granted[remote]!.toSorted()))

    // The others settle for less, and race for what that frees.
    const settle = (remote: number) =>
      remotes[remote]!.run(
        'settle',
        granted[remote]!.map((reservationId) => ({ reservationId, actual: { tokens: 4 }, atMs: Date.now() })),
      )
    const others = remotes.map((_, remote) => remote).filter((remote) => remote !== killed && remote !== frozen)
    await Promise.all(others.map(settle))
    const more = await Promise.all(others.map((remote) => ask(remote, 100, 20)))
    const { settled, reserved } = (await poolOf(store)).totals.tokens
    expect(settled + reserved).toBeLessThanOrEqual(LIMIT)
    expect(reserved).toBe(more.flat().filter(({ kind }) => kind === 'granted').length * 10)

    // The frozen one continues: its settlements become corrections, and it can start nothing new.
    remotes[frozen]!.thaw()
    const late = await settle(frozen)
    expect(late.map(({ kind }) => kind)).toEqual(granted[frozen]!.map(() => 'corrected'))
    expect((await poolOf(store)).totals.tokens.settled).toBe(settled - 6 * granted[frozen]!.length)
    expect(await remotes[frozen]!.run('beat', [{ holder: remotes[frozen]!.holder, atMs: Date.now() }])).toMatchObject([
      { kind: 'dead' },
    ])
  })
})

function idOf(outcome: object): string {
  return (outcome as { readonly reservationId: string }).reservationId
}
