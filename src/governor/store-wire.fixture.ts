import { type LedgerStore, StintError } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createPair } from './governor-pair.fixture.ts'

/** A way to a store that can be cut: before an operation is done, or after it, so that only its answer is lost. */
export function createWire(store: LedgerStore) {
  const cut = new Map<keyof LedgerStore, 'before' | 'after'>()
  const away = () => new StintError('store_unavailable', 'The store is away.', { retryable: true })
  const operations = Object.entries(store).map(([name, operate]) => {
    if (typeof operate !== 'function') return [name, operate]
    const operation = async (request: never): Promise<unknown> => {
      const when = cut.get(name as keyof LedgerStore)
      if (when === 'before') throw away()
      const answer = await operate(request)
      if (when === 'after') throw away()
      return answer
    }
    return [name, operation]
  })
  return { cut, wire: Object.fromEntries(operations) as LedgerStore }
}

/** Two governors, one of them behind a wire. */
export function createWired() {
  const store = createMemoryStore({ isShared: true })
  const { cut, wire } = createWire(store)
  const pair = createPair(store)
  return { ...pair, cut, wired: pair.start('wired', wire) }
}

/** A store whose next operation of a name can be answered late. */
export function createLateStore(store: LedgerStore) {
  const held = new Map<string, Promise<void>>()
  const operations = Object.entries(store).map(([name, operate]) => {
    if (typeof operate !== 'function') return [name, operate]
    const operation = async (request: never): Promise<unknown> => {
      const gate = held.get(name)
      held.delete(name)
      const answer = await operate(request)
      await gate
      return answer
    }
    return [name, operation]
  })
  return {
    store: Object.fromEntries(operations) as LedgerStore,
    holdNext(name: keyof LedgerStore) {
      let release = (): void => {}
      held.set(
        name,
        new Promise<void>((resolve) => {
          release = resolve
        }),
      )
      return { let: () => release() }
    },
  }
}

/** Something to wait for until the test opens it. */
export function createGate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
