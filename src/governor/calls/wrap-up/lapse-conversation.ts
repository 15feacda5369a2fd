import { isLiving, type ScopeRuntime } from '../../scope/scope-runtime.ts'
import { catchUp } from '../../steering/catch-up.ts'
import { restartConversation } from './restart-conversation.ts'

/**
 * Releases what a scope holds for its closing call, if its program, known only by its requests, may be gone. Its next
 * call is admitted like the first of a conversation.
 */
export async function lapseConversation(runtime: ScopeRuntime): Promise<void> {
  // Another process may have had its last request.
  if (runtime.roaming !== null) await catchUp(runtime)
  if (runtime.roaming !== null && !runtime.life.isOwned) return
  if (isLiving(runtime)) restartConversation(runtime)
  if (!runtime.conversation.isAdmitted || !isLiving(runtime)) return
  const { clock, line, store } = runtime.context
  runtime.conversation.isAdmitted = false
  runtime.closing.holdAsk = null
  await store.hold({ scopeId: runtime.id, ask: null, atMs: clock.wallMs() })
  line.wake(runtime.pathIds)
}
