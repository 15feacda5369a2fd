import type { Breach } from '../../../core/index.ts'
import { apply } from '../../scope/apply-fact.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'

/**
 * Lets a conversation whose program is elsewhere begin anew, where only limits of a budget that many spend from have
 * ended it: there may be room again, and its program may come back for it. Its next call is admitted like the first.
 */
export function beginAnew(runtime: ScopeRuntime, isOver: (breach: Breach) => boolean = () => true): void {
  const { closing, conversation, life, rootToSelf } = runtime
  if (!closing.runsElsewhere || life.halt === null) return
  const isOfMany = ({ scope }: Breach): boolean => rootToSelf.some(({ id, kind }) => id === scope && kind === 'lasting')
  if (!life.halt.every((breach) => isOfMany(breach) && isOver(breach))) return
  apply(runtime, { kind: 'mended', isMended: () => true })
  closing.hasWrappedUp = false
  closing.holdAsk = null
  conversation.isAdmitted = false
  conversation.turnedAwayBy = null
}

/** The same on the path of a call, where the windows of those limits have been reset since. */
export function beginAnewAfterReset({ rootToSelf, context }: ScopeRuntime): void {
  if (rootToSelf.every(({ life }) => life.halt === null)) return
  const nowMs = context.clock.wallMs()
  for (const scope of rootToSelf) beginAnew(scope, ({ resetsAt }) => resetsAt !== null && resetsAt <= nowMs)
}
