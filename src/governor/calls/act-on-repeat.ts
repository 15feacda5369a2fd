import { type Breach, type Breaches, isEnforced, limitEventFromBreach } from '../../core/index.ts'
import { emitExceeded } from '../events/emit.ts'
import type { RepeatBreach } from '../repeat-guard/index.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { haltAdmission } from '../scope/halt-scope.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { pauseScope } from '../steering/pause-and-resume.ts'

/** What a scope does when its agent repeats itself: the same as at a limit without its own action. */
export async function actOnRepeat(runtime: ScopeRuntime, breach: RepeatBreach, isFirst: boolean): Promise<void> {
  // Not a meter of the ledger, but it stops a scope and is reported like one.
  const breaches: Breaches = [breach as Omit<RepeatBreach, 'meter'> as Breach]
  if (isFirst) emitExceeded(runtime, breaches)
  if (!isEnforced(breach.action)) {
    const { hub, clock } = runtime.context
    const moment = { event: 'agent_warning', atMs: clock.wallMs() } as const
    hub.emit(limitEventFromBreach(moment, subjectOf(runtime), breaches[0]))
    return
  }
  changeLifecycle(runtime, { kind: 'stopped', breaches })
  if (breach.action === 'terminate') haltAdmission(runtime, breaches)
  else await pauseScope(runtime, { breaches, reason: breach.message })
}
