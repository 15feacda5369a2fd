import type { ScopeRuntime } from './scope-runtime.ts'

/** Sends a change of a scope to the store. Until it has answered, what is read there may be from before the change. */
export function steer<Outcome>(runtime: ScopeRuntime, send: () => Promise<Outcome>): Promise<Outcome> {
  const sent = send()
  runtime.underway = Promise.allSettled([runtime.underway, sent])
  return sent
}
