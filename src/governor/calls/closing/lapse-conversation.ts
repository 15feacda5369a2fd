import { isLiving, pathIds, type ScopeRuntime } from '../../scope/scope-runtime.ts'
import { beginAnew } from './begin-anew.ts'

/**
 * Gives back what a scope holds for its closing call, where its program may have gone: it is only known by its
 * requests. Its next call is admitted like the first of a conversation.
 */
export async function lapseConversation(runtime: ScopeRuntime): Promise<void> {
  if (isLiving(runtime)) beginAnew(runtime)
  if (!runtime.conversation.isAdmitted || !isLiving(runtime)) return
  const { clock, line, store } = runtime.context
  runtime.conversation.isAdmitted = false
  runtime.closing.holdAsk = null
  await store.hold({ scopeId: runtime.id, ask: null, atMs: clock.wallMs() })
  line.wake(pathIds(runtime))
}
