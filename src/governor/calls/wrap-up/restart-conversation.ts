import type { Breach } from '../../../core/index.ts'
import { changeLifecycle } from '../../scope/change-lifecycle.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'

/**
 * Restarts a conversation that runs in another program, if only limits of a shared budget ended it: there may be room
 * again, and the program may come back. Its next call is admitted like the first.
 */
export function restartConversation(runtime: ScopeRuntime, isOver: (breach: Breach) => boolean = () => true): void {
  const { closing, conversation, life, rootToSelf } = runtime
  if (!closing.runsElsewhere || life.halt === null) return
  const isOfMany = ({ scope }: Breach): boolean => rootToSelf.some(({ id, kind }) => id === scope && kind === 'lasting')
  if (!life.halt.every((breach) => isOfMany(breach) && isOver(breach))) return
  changeLifecycle(runtime, { kind: 'mended', isMended: () => true })
  closing.hasWrappedUp = false
  closing.holdAsk = null
  conversation.isAdmitted = false
  conversation.turnedAwayBy = null
}

/** The same on the path of a call, once the windows of those limits have reset. */
export function restartAfterReset({ rootToSelf, context }: ScopeRuntime): void {
  for (const scope of rootToSelf) {
    if (scope.life.halt === null) continue
    const nowMs = context.clock.wallMs()
    restartConversation(scope, ({ resetsAt }) => resetsAt !== null && resetsAt <= nowMs)
  }
}
