import {
  type AddKeyOutcome,
  type AddKeyRequest,
  type Amounts,
  type AnswerOutcome,
  type AnswerRequest,
  type AskOutcome,
  type AskRequest,
  balanceKey,
  type CounterMeter,
  type LedgerStore,
  type Limit,
  type LimitReading,
  type Meter,
  type NewScope,
  type OpenOutcome,
  type PauseOutcome,
  type PauseRequest,
  type ReserveOutcome,
  type ReserveRequest,
  type ResumeOutcome,
  type ResumeRequest,
  type ScopeReading,
  type SettleOutcome,
  type SettleRequest,
} from '../../core/index.ts'

/** A ledger with shorthands for tests: its own clock, and ids that count up. */
export interface ContractLedger {
  readonly store: LedgerStore
  /** Another handle on the same ledger, or the same one if the store has only one. */
  readonly second: LedgerStore
  atMs: number
  open(path: string, limits?: readonly Limit[], more?: Partial<NewScope>): Promise<OpenOutcome>
  close(path: string): Promise<unknown>
  reserve(path: string, amounts: Amounts, more?: Partial<ReserveRequest>): Promise<ReserveOutcome>
  settle(reservationId: string, more?: Partial<SettleRequest>): Promise<SettleOutcome>
  /** Reserves and settles at the same amounts. */
  spend(path: string, amounts: Amounts): Promise<void>
  pause(path: string, more?: Partial<PauseRequest>): Promise<PauseOutcome>
  resume(path: string, more?: Partial<ResumeRequest>): Promise<ResumeOutcome>
  /** Requests `asked` more of the limit on a meter, with a new id. */
  ask(path: string, meter: Meter, asked: number, more?: Partial<AskRequest>): Promise<AskOutcome>
  answer(requestId: string, verdict: AnswerRequest['verdict'], more?: Partial<AnswerRequest>): Promise<AnswerOutcome>
  /** Adds a key with a made-up hash. */
  addKey(path: string, keyId: string, more?: Partial<AddKeyRequest>): Promise<AddKeyOutcome>
  read(path: string): Promise<ScopeReading>
  limit(path: string, meter: Meter): Promise<LimitReading>
  settled(path: string, meter: CounterMeter): Promise<number>
}

/** Scopes are named by their path, `team/run/agent`, which is their id too. */
export function createContractLedger(store: LedgerStore, second: LedgerStore = store): ContractLedger {
  let calls = 0
  let questions = 0
  const ledger: ContractLedger = {
    store,
    second,
    atMs: Date.UTC(2026, 10, 15, 12),
    open(path, limits = [], more = {}) {
      const slash = path.lastIndexOf('/')
      const scope = { id: path, name: path.slice(slash + 1), kind: 'agent', owner: 'process', limits, ...more } as const
      return store.open({ parentId: slash < 0 ? null : path.slice(0, slash), scopes: [scope], atMs: ledger.atMs })
    },
    close: (scopeId) => store.close({ scopeId, status: 'completed', atMs: ledger.atMs }),
    reserve(path, amounts, more = {}) {
      const reservationId = `call ${++calls}`
      return store.reserve({ reservationId, scopeId: path, amounts, holder: 'process', atMs: ledger.atMs, ...more })
    },
    settle: (reservationId, more = {}) => store.settle({ reservationId, actual: null, atMs: ledger.atMs, ...more }),
    async spend(path, amounts) {
      const outcome = await ledger.reserve(path, amounts)
      if (outcome.kind !== 'granted') throw new Error(`not granted: ${JSON.stringify(outcome)}`)
      await ledger.settle(outcome.reservationId, { actual: amounts })
    },
    pause: (scopeId, more = {}) => store.pause({ scopeId, reason: 'a test', atMs: ledger.atMs, ...more }),
    resume: (scopeId, more = {}) => store.resume({ scopeId, atMs: ledger.atMs, ...more }),
    async ask(path, meter, asked, more = {}) {
      const { limit, settled } = await ledger.limit(path, meter)
      const request = {
        requestId: `question ${++questions}`,
        scopeId: path,
        key: balanceKey(path, limit),
        settled,
        asked,
        reason: 'a test',
        expiresAtMs: ledger.atMs + 60_000,
        atMs: ledger.atMs,
      }
      return store.ask({ ...request, ...more })
    },
    answer: (requestId, verdict, more = {}) => store.answer({ requestId, verdict, atMs: ledger.atMs, ...more }),
    addKey: (scopeId, keyId, more = {}) =>
      store.addKey({ keyId, scopeId, hash: madeUpHash(keyId), atMs: ledger.atMs, ...more }),
    async read(path) {
      const readings = await store.read({ scopeId: path, atMs: ledger.atMs })
      if (readings === null) throw new Error(`no scope ${path}`)
      return readings.at(-1)!
    },
    async limit(path, meter) {
      const found = (await ledger.read(path)).limits.find(({ limit }) => limit.meter === meter)
      if (found === undefined) throw new Error(`no limit on ${meter}`)
      return found
    },
    settled: async (path, meter) => (await ledger.read(path)).totals[meter].settled,
  }
  return ledger
}

/** A made-up hash, unique per text. */
export function madeUpHash(text: string): string {
  const digits = Array.from(text, (character) => (character.codePointAt(0)! % 256).toString(16).padStart(2, '0'))
  return digits.join('').slice(0, 64).padEnd(64, '0')
}
