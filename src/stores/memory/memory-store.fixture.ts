import type {
  Amounts,
  CounterMeter,
  LedgerStore,
  Limit,
  LimitReading,
  Meter,
  NewScope,
  OpenOutcome,
  ReserveOutcome,
  ReserveRequest,
  ScopeReading,
} from '../../core/index.ts'
import { createMemoryStore } from './create-memory-store.ts'
import type { MemoryStoreOptions } from './ledger.ts'

/** A memory store with short words for a test: a clock of its own, and ids that count up. */
export interface LedgerFixture {
  readonly store: LedgerStore
  atMs: number
  open(path: string, limits?: readonly Limit[], more?: Partial<NewScope>): Promise<OpenOutcome>
  reserve(path: string, amounts: Amounts, more?: Partial<ReserveRequest>): Promise<ReserveOutcome>
  /** Reserves and settles at the same amounts. */
  spend(path: string, amounts: Amounts): Promise<void>
  read(path: string): Promise<ScopeReading>
  limit(path: string, meter: Meter): Promise<LimitReading>
  settled(path: string, meter: CounterMeter): Promise<number>
}

/** Scopes are named by their path, `team/run/agent`, which is their id too. */
export function createLedgerFixture(options: MemoryStoreOptions = {}): LedgerFixture {
  const store = createMemoryStore(options)
  let calls = 0
  const fixture: LedgerFixture = {
    store,
    atMs: Date.UTC(2026, 10, 15, 12),
    open(path, limits = [], more = {}) {
      const slash = path.lastIndexOf('/')
      const scope = { id: path, name: path.slice(slash + 1), kind: 'agent', owner: 'process', limits, ...more } as const
      return store.open({ parentId: slash < 0 ? null : path.slice(0, slash), scopes: [scope], atMs: fixture.atMs })
    },
    reserve(path, amounts, more = {}) {
      const reservationId = `call ${++calls}`
      return store.reserve({ reservationId, scopeId: path, amounts, holder: 'process', atMs: fixture.atMs, ...more })
    },
    async spend(path, amounts) {
      const outcome = await fixture.reserve(path, amounts)
      if (outcome.kind !== 'granted') throw new Error(`not granted: ${JSON.stringify(outcome)}`)
      await store.settle({ reservationId: outcome.reservationId, actual: amounts, atMs: fixture.atMs })
    },
    async read(path) {
      const readings = await store.read({ scopeId: path, atMs: fixture.atMs })
      if (readings === null) throw new Error(`no scope ${path}`)
      return readings.at(-1)!
    },
    async limit(path, meter) {
      const found = (await fixture.read(path)).limits.find(({ limit }) => limit.meter === meter)
      if (found === undefined) throw new Error(`no limit on ${meter}`)
      return found
    },
    settled: async (path, meter) => (await fixture.read(path)).totals[meter].settled,
  }
  return fixture
}
