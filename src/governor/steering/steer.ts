import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/**
 * Sends a change of a scope to the store, after those before it: a pause that arrives behind the resume that followed it
 * would stay. Until it has answered, what is read there may be from before the change.
 */
export function steer<Outcome>(runtime: ScopeRuntime, send: () => Promise<Outcome>): Promise<Outcome> {
  const { steering } = runtime
  const sent = steering.underway.then(send)
  steering.underway = Promise.allSettled([sent])
  return sent
}
