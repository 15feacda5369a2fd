import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallActivity } from './clocks/activity.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Where in the tree the running code is: in which scope, and in which of its calls. */
export interface CurrentPlace {
  readonly scope: ScopeRuntime
  readonly call: CallActivity | null
}

const storage = new AsyncLocalStorage<CurrentPlace>()

/** The place of the calling code; `null` outside of every scope. */
export function currentPlace(): CurrentPlace | null {
  return storage.getStore() ?? null
}

/** Runs code, and everything it starts, at a place. */
export const runAt: AsyncLocalStorage<CurrentPlace>['run'] = storage.run.bind(storage)
