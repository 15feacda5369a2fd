import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/**
 * Sends a change of a scope to the store, after earlier ones: a pause that arrived after the resume that followed it
 * would stay. Until the store answers, readings may be from before the change.
 */
export function steer<Outcome>(runtime: ScopeRuntime, send: () => Promise<Outcome>): Promise<Outcome> {
  const { steering } = runtime
  const sent = steering.underway.then(send)
  steering.underway = Promise.allSettled([sent])
  return sent
}
