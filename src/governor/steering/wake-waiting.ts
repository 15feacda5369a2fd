import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/** Wakes those waiting for a paused scope to continue or end. */
export function wakeWaiting({ context }: ScopeRuntime): void {
  for (const look of [...context.onMove]) look()
}
