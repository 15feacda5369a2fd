import { expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { parseLimits, resolveLimits } from '../../../src/policy/index.ts'
import { createPostgresStore, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { createManualClock } from '../../../src/testing/index.ts'
import { useDatabase } from './database.fixture.ts'

const { newSchema } = useDatabase()

const MINUTE_MS = 60_000
const MIDNIGHT_MS = Date.UTC(2026, 10, 19)

it("two machines whose clocks are ten minutes apart count in the same day, by the server's clock", async () => {
  const { url } = await newSchema()
  let serverMs = MIDNIGHT_MS - 5 * MINUTE_MS
  /** A machine whose clock is wrong by that much. */
  function machine(wrongByMs: number) {
    const clock = createManualClock({ wallMs: serverMs + wrongByMs })
    const store = createPostgresStore({ url, clock, serverTime: () => serverMs })
    onTestFinished(() => store.dispose())
    let calls = 0
    const reserve = (tokens: number): ReturnType<LedgerStore['reserve']> => {
      const reservationId = `call-${wrongByMs}-${++calls}`
      const holder = `host:${wrongByMs}`
      return store.reserve({ reservationId, scopeId: 'team', amounts: { tokens }, holder, atMs: clock.wallMs() })
    }
    return { store, clock, reserve }
  }
  const [right, ahead] = [machine(0), machine(10 * MINUTE_MS)]
  const { limits } = resolveLimits([parseLimits({ tokens: { max: 10, per: 'day' } })])
  const team = { id: 'team', name: 'team', kind: 'lasting', owner: null, limits } as const
  await ahead.store.open({ parentId: null, scopes: [team], atMs: ahead.clock.wallMs() })
  expect(await right.reserve(6)).toMatchObject({ kind: 'granted' })
  // By its own clock the next day has begun.
  const refused = await ahead.reserve(6)
  expect(refused).toMatchObject({ kind: 'breached', breaches: [{ resetsAt: MIDNIGHT_MS, reserved: 6 }] })
  expect(await ahead.reserve(4)).toMatchObject({ kind: 'granted' })
  const [reading] = (await ahead.store.read({ scopeId: 'team', atMs: ahead.clock.wallMs() })) ?? []
  expect(reading).toMatchObject({ openedAtMs: MIDNIGHT_MS - 5 * MINUTE_MS })

  serverMs = MIDNIGHT_MS + MINUTE_MS
  await right.clock.advance(6 * MINUTE_MS)
  await ahead.clock.advance(6 * MINUTE_MS)
  expect(await right.reserve(6)).toMatchObject({ kind: 'granted' })
  expect(await ahead.reserve(6)).toMatchObject({ kind: 'breached', breaches: [{ reserved: 6 }] })
  expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [] })
})
