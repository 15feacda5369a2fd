import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isStintError, type LedgerStore } from '../../../src/core/index.ts'
import { limitFixture } from '../../../src/core/limits/limit.fixture.ts'
import { createPostgresStore } from '../../../src/stores/postgres/index.ts'
import { type PostgresServer, startPostgres } from '../../setup/postgres-server.ts'

const CALLERS = 16
const LIMIT = 100_000_000

/** What a caller did, by its own count. */
interface Notes {
  settled: number
  calls: number
  /** Operations that failed and were sent again. */
  repeated: number
  /** Those that had succeeded although they failed. */
  wereDone: number
}

/** Crashes the server repeatedly under load: what was answered is stored, and everything counts once. */
export function describeCrashes(crashes: number): void {
  describe(`a Postgres server that crashes ${crashes} times`, () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.remove())

    const bound = 60_000 + crashes * 10_000
    it('loses nothing that was answered, and counts nothing twice', { timeout: bound }, async () => {
      const store = createPostgresStore({ url: server.url })
      const root = {
        id: 'team',
        name: 'team',
        kind: 'lasting',
        owner: null,
        limits: [limitFixture('tokens', LIMIT)],
      } as const
      await store.open({ parentId: null, scopes: [root], atMs: Date.now() })
      let isOver = false
      const notes: Notes = { settled: 0, calls: 0, repeated: 0, wereDone: 0 }
      const callers = Array.from({ length: CALLERS }, (_, caller) => spend(store, caller, notes, () => isOver))
      for (let crash = 0; crash < crashes; crash++) {
        const before = notes.calls
        // Each crash finds work that was begun after the one before.
        while (notes.calls < before + 20) await delay(5)
        await server.crash()
      }
      isOver = true
      await Promise.all(callers)
      await store.dispose()
      const fresh = createPostgresStore({ url: server.url })
      const [reading] = (await fresh.read({ scopeId: 'team', atMs: Date.now() }))!
      expect(reading!.totals.tokens).toEqual({ settled: notes.settled, reserved: 0 })
      const settled = await fresh.reservations({ state: 'settled', scopeId: 'team', most: 1_000_000 })
      expect(settled.length).toBe(notes.calls)
      const { entries, cursor } = await pageOf(fresh, notes.calls)
      expect([entries, cursor]).toEqual([notes.calls, notes.calls + 1])
      expect(notes.repeated).toBeGreaterThan(0)
      const { calls, repeated, wereDone } = notes
      console.log(
        `${crashes} crashes, ${calls} calls: ${repeated} operations sent again, ${wereDone} of them were done`,
      )
      await fresh.dispose()
    })
  })
}

/** The events of settled calls, which are numbered without gaps. */
async function pageOf(
  store: LedgerStore,
  most: number,
): Promise<{ readonly entries: number; readonly cursor: number }> {
  const page = await store.history({ scopeId: 'team', kinds: ['call_settled'], most: most + 10, atMs: Date.now() })
  if (page.kind !== 'page') throw new Error('The history is gone.')
  return { entries: page.entries.length, cursor: page.cursor }
}

async function spend(store: LedgerStore, caller: number, notes: Notes, isOver: () => boolean): Promise<void> {
  for (let call = 0; !isOver(); call++) {
    const reservationId = `${caller}-${call}`
    const tokens = 1 + ((caller + call) % 7)
    const granted = await insist(notes, () =>
      store.reserve({
        reservationId,
        scopeId: 'team',
        amounts: { tokens: 10 },
        holder: `caller ${caller}`,
        atMs: Date.now(),
      }),
    )
    if (granted.kind === 'granted' && granted.duplicate) notes.wereDone++
    const outcome = await insist(notes, () => store.settle({ reservationId, actual: { tokens }, atMs: Date.now() }))
    if (outcome.kind === 'duplicate') notes.wereDone++
    expect(['settled', 'duplicate']).toContain(outcome.kind)
    notes.settled += tokens
    notes.calls++
  }
}

/** Repeats what the server could not answer, as the governor does. */
async function insist<Outcome>(notes: Notes, send: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempts = 0; attempts < 1_000; attempts++) {
    try {
      return await send()
    } catch (error) {
      if (!isStintError(error) || !error.retryable) throw error
      notes.repeated++
      await delay(20)
    }
  }
  throw new Error('The server never came back.')
}
