import { assertKnownOptions, type LedgerStore, optionNames } from '../../core/index.ts'
import { storeThrough } from './store-through.ts'

/** A store to test. */
export interface StoreUnderTest {
  /** A store on a new, empty ledger. */
  createStore(): LedgerStore | Promise<LedgerStore>
  /** For ledgers that outlive their store: disposes of the store and reopens the ledger. */
  reopen?(store: LedgerStore): Promise<LedgerStore>
  /** For ledgers with several stores: another store on the same ledger, as in another process. */
  second?(store: LedgerStore): LedgerStore | Promise<LedgerStore>
}

const SUBJECT = optionNames<StoreUnderTest>({ createStore: true, reopen: true, second: true })

/** Refuses a misspelled field, since its tests would be skipped. */
export function assertSubject(place: string, subject: StoreUnderTest): void {
  assertKnownOptions(place, subject, SUBJECT)
}

/** A store on a new ledger, and how to dispose of everything that was opened for it. */
export interface OpenedStore {
  readonly store: LedgerStore
  readonly second: LedgerStore
  dispose(): Promise<void>
}

/** The store as it is. */
export async function openPlain(subject: StoreUnderTest): Promise<OpenedStore> {
  const store = await subject.createStore()
  if (subject.second === undefined) return { store, second: store, dispose: () => store.dispose() }
  const second = await subject.second(store)
  return { store, second, dispose: () => disposeAll([second, store]) }
}

/** The store, reopened before every step that doesn't run concurrently with others. */
export async function openReopening(
  subject: StoreUnderTest,
  reopen: NonNullable<StoreUnderTest['reopen']>,
): Promise<OpenedStore> {
  const first = await subject.createStore()
  let current = Promise.resolve(first)
  let underWay = 0
  const store = storeThrough(first, async (step) => {
    if (underWay === 0) current = current.then(reopen)
    underWay++
    try {
      return await step(await current)
    } finally {
      underWay--
    }
  })
  return { store, second: store, dispose: async () => (await current).dispose() }
}

/** Two handles on one ledger that alternate, as two processes might. */
export async function openAlternating(
  subject: StoreUnderTest,
  second: NonNullable<StoreUnderTest['second']>,
): Promise<OpenedStore> {
  const first = await subject.createStore()
  const handles = [first, await second(first)] as const
  let steps = 0
  const store = storeThrough(first, (step) => step(handles[steps++ % 2 === 0 ? 0 : 1]))
  return { store, second: store, dispose: () => disposeAll([handles[1], first]) }
}

async function disposeAll(stores: readonly LedgerStore[]): Promise<void> {
  for (const store of stores) await store.dispose()
}
