import type { Status } from '../../core/index.ts'
import { forgetAllOf } from '../steering/answer-increase.ts'
import { changeLifecycle } from './change-lifecycle.ts'
import { endActivity } from './clocks/activity.ts'
import { endScope } from './end-scope.ts'
import { abortAll } from './halt-scope.ts'
import { keepPromise } from './path/promised-needs.ts'
import { isLiving, type ScopeRuntime } from './scope-runtime.ts'

/**
 * The scope continues without us: its work here stops, and scopes opened below it here end, except paused ones, which
 * stay here, or can continue elsewhere if this governor ends. `status`: `detached` if another process has it now.
 * Rethrows the store's errors, but only once everything has ended here.
 */
export async function detachScope(
  runtime: ScopeRuntime,
  reason: string,
  status: Status = runtime.life.status,
): Promise<void> {
  const { context } = runtime
  if (!isLiving(runtime)) return
  context.living.delete(runtime.id)
  runtime.clocks.stop()
  changeLifecycle(runtime, { kind: 'left', status })
  const failures: unknown[] = []
  for (const child of [...runtime.children]) {
    // A pause of ours stays ours while this governor lives: a manual resume is meant for the process that runs it.
    const { isOwned, pause } = child.life
    if (isOwned && pause !== null && !context.isClosed) continue
    const ends = isOwned && pause === null
    const leave = ends ? endScope(child, 'stopped', reason) : detachScope(child, reason)
    await leave.catch((error) => failures.push(error))
  }
  endActivity(runtime.activity)
  runtime.parent?.children.delete(runtime)
  keepPromise(runtime)
  abortAll(runtime, new Error(reason))
  forgetAllOf(runtime)
  context.hub.end(runtime.id)
  if (failures.length > 0) throw failures[0]
}
