import { endActivity } from './activity.ts'
import { endScope } from './end-scope.ts'
import { abortAll } from './halt-scope.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Somebody else runs the scope now: what is left of it here stops, and what it has started here ends. */
export async function letGo(runtime: ScopeRuntime): Promise<void> {
  const { living } = runtime.context
  if (!living.delete(runtime.id)) return
  runtime.clocks.stop()
  for (const child of [...runtime.children]) await endScope(child, 'stopped', `"${runtime.path}" went on elsewhere`)
  endActivity(runtime.activity)
  runtime.parent?.children.delete(runtime)
  abortAll(runtime, new Error(`"${runtime.path}" goes on in another process`))
}
