import { type EndStatus, progressFields } from '../core/index.ts'
import { endActivity } from './activity.ts'
import { pathIds, type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { headerFor } from './tell.ts'

/** Ends a scope, everything below it first. A second end changes nothing. */
export async function endScope(runtime: ScopeRuntime, status: EndStatus, reason: string): Promise<void> {
  const { context } = runtime
  if (!context.living.delete(runtime.id)) return
  for (const child of [...runtime.children]) await endScope(child, 'stopped', `"${runtime.path}" has ended`)
  runtime.status = status
  runtime.clocks.stop()
  endActivity(runtime.activity)
  runtime.parent?.children.delete(runtime)
  // Closed before it is aborted: whoever waits there asks once more, and must not be let in.
  await context.store.close({ scopeId: runtime.id, status, atMs: context.clock.wallMs() })
  if (!runtime.controller.signal.aborted) runtime.controller.abort(new Error(reason))
  tellEnded(runtime, status, reason)
  context.line.wake(pathIds(runtime))
}

function tellEnded(runtime: ScopeRuntime, status: EndStatus, reason: string): void {
  const { hub } = runtime.context
  const progress = progressFields(subjectOf(runtime))
  if (runtime.kind === 'agent' && status === 'completed') {
    hub.emit({ ...headerFor(runtime, 'agent_completed'), ...progress, overrun: {} })
  } else if (runtime.kind === 'agent') {
    const written = runtime.halt?.[0].source.written
    const error = written === undefined ? reason : `Execution limit exceeded: ${written}`
    hub.emit({ ...headerFor(runtime, 'agent_failed'), ...progress, status, error })
  }
  hub.emit({ ...headerFor(runtime, 'scope_closed'), ...progress, status })
}
