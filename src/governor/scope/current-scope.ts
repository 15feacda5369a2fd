import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallActivity } from './activity.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Where in the tree the running code is: in which scope, and in which call of it. */
export interface CurrentPlace {
  readonly scope: ScopeRuntime
  readonly call: CallActivity | null
}

const storage = new AsyncLocalStorage<CurrentPlace>()

/** The place of the code that asks; `null` outside of every scope. */
export function currentPlace(): CurrentPlace | null {
  return storage.getStore() ?? null
}

/** Runs code at a place, and everything that it starts. */
export function runAt<Result>(place: CurrentPlace, run: () => Result): Result {
  return storage.run(place, run)
}
