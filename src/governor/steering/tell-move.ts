import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/** Wakes those who wait until a paused scope goes on, or for good does not. */
export function tellMove({ context }: ScopeRuntime): void {
  for (const look of [...context.onMove]) look()
}
