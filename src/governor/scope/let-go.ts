import type { Status } from '../../core/index.ts'
import { forgetAllOf } from '../steering/answer-increase.ts'
import { endActivity } from './activity.ts'
import { apply } from './apply-fact.ts'
import { endScope } from './end-scope.ts'
import { abortAll } from './halt-scope.ts'
import { keepPromise } from './promised-needs.ts'
import { isLiving, type ScopeRuntime } from './scope-runtime.ts'

/**
 * The scope goes on without us: what is left of it here stops, and what was started below it here ends, but for what
 * is paused: that stays here, or can go on elsewhere as well where this governor ends. `status`: `detached` where another
 * process has it now. Throws what the store throws, but not before everything is over here.
 */
export async function letGo(
  runtime: ScopeRuntime,
  reason: string,
  status: Status = runtime.life.status,
): Promise<void> {
  const { context } = runtime
  if (!isLiving(runtime)) return
  context.living.delete(runtime.id)
  runtime.clocks.stop()
  apply(runtime, { kind: 'left', status })
  const failures: unknown[] = []
  for (const child of [...runtime.children]) {
    // A pause of ours stays ours while this governor is there: whoever resumes it by hand means the one who runs it.
    const { isOwned, pause } = child.life
    if (isOwned && pause !== null && !context.isClosed) continue
    const ends = isOwned && pause === null
    const leave = ends ? endScope(child, 'stopped', reason) : letGo(child, reason)
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
