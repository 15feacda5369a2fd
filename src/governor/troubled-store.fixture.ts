import type { LedgerStore } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'

/** What a store does beside its work: how many turns until it decides, how many until it answers, and whether it fails. */
export interface StoreTrouble {
  readonly turnsBefore: number
  readonly turnsAfter: number
  readonly fails: boolean
}

/** A memory store behind a wire: it decides and answers late, and sometimes not at all. */
export function createTroubledStore(troubleOf: (operation: keyof LedgerStore) => StoreTrouble): LedgerStore {
  const { isShared, ...store } = createMemoryStore()
  const operations = Object.entries(store) as [keyof LedgerStore, (request: never) => Promise<unknown>][]
  const troubled = operations.map(([name, operate]) => {
    const operation = async (request: never): Promise<unknown> => {
      const { turnsBefore, turnsAfter, fails } = troubleOf(name)
      for (let turn = 0; turn < turnsBefore; turn++) await nextTurn()
      if (fails) throw new Error(`The store did not answer: ${name}.`)
      const answer = await operate(request)
      for (let turn = 0; turn < turnsAfter; turn++) await nextTurn()
      return answer
    }
    return [name, operation]
  })
  return { isShared, ...Object.fromEntries(troubled) } as LedgerStore
}

/** Lets everything run that only waits for promises. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
