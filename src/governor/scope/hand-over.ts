import { changeLifecycle } from './change-lifecycle.ts'
import { leaveParent } from './clocks/activity.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Another process has a conversation from now on. What is in flight here finishes, and it may come back. */
export function handOver(runtime: ScopeRuntime, owner: string | null): void {
  runtime.clocks.stop()
  leaveParent(runtime.activity)
  changeLifecycle(runtime, { kind: 'handed-over', owner })
}
