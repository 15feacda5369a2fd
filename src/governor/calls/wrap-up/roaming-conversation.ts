import type { Breaches, HoldAsk } from '../../../core/index.ts'
import { changeLifecycle } from '../../scope/change-lifecycle.ts'
import { isLiving, type ScopeRuntime } from '../../scope/scope-runtime.ts'
import { beginConversation, type Conversation } from './conversation.ts'

// What other versions have written is not read.
const VERSION = 1

/** What the next process must know of a conversation, to continue it as the same one. */
interface StoredConversation {
  readonly version: typeof VERSION
  readonly conversation: Omit<Conversation, 'cacheHit'>
  /** Like the cache hit of a conversation, by the wall clock. */
  readonly cacheHit: { readonly wallMs: number; readonly thinkingBudget: number | null } | null
  readonly hasWrappedUp: boolean
  readonly holdAsk: HoldAsk | null
  readonly halt: Breaches | null
  /** What the edge keeps of it. */
  readonly learned: string | null
}

/**
 * Stores what is known of a conversation, for the process that has its next request. If the store cannot be reached, it
 * is written later.
 */
export async function keepConversation(runtime: ScopeRuntime, learned: string | null): Promise<void> {
  const { context, roaming } = runtime
  const { clock, pendingWrites, store } = context
  if (roaming === null || !isLiving(runtime) || !runtime.life.isOwned) return
  const document = JSON.stringify(storedConversation(runtime, learned))
  if (document === roaming.document) return
  roaming.document = document
  const note = { scopeId: runtime.id, document, atMs: clock.wallMs() }
  await pendingWrites.attempt(async () => {
    if (roaming.document === document) await store.note(note)
  }, runtime.id)
}

function storedConversation(runtime: ScopeRuntime, learned: string | null): StoredConversation {
  const { clock } = runtime.context
  const { cacheHit, ...conversation } = runtime.conversation
  const { hasWrappedUp, holdAsk } = runtime.closing
  const ageMs = cacheHit === null ? 0 : clock.monotonicMs() - cacheHit.atMs
  const hit =
    cacheHit === null ? null : { wallMs: Math.round(clock.wallMs() - ageMs), thinkingBudget: cacheHit.thinkingBudget }
  return { version: VERSION, conversation, cacheHit: hit, hasWrappedUp, holdAsk, halt: runtime.life.halt, learned }
}

/** Continues a conversation where another process left it. Returns what that edge kept; `null` if there is nothing. */
export function continueConversation(runtime: ScopeRuntime, document: string | null): string | null {
  const { clock } = runtime.context
  runtime.roaming = { document }
  const stored = storedIn(document)
  if (stored === null) return null
  const { cacheHit, conversation, hasWrappedUp, holdAsk, halt } = stored
  const ageMs = cacheHit === null ? 0 : Math.max(0, clock.wallMs() - cacheHit.wallMs)
  const hit = cacheHit === null ? null : { atMs: clock.monotonicMs() - ageMs, thinkingBudget: cacheHit.thinkingBudget }
  Object.assign(runtime.conversation, beginConversation(), conversation, { cacheHit: hit })
  runtime.closing.hasWrappedUp = hasWrappedUp
  runtime.closing.holdAsk = holdAsk
  // A raise or a new window has let it continue there.
  if (halt === null) changeLifecycle(runtime, { kind: 'mended', isMended: () => true })
  else changeLifecycle(runtime, { kind: 'halted', breaches: halt })
  return stored.learned
}

function storedIn(document: string | null): StoredConversation | null {
  try {
    const stored: StoredConversation | null = document === null ? null : JSON.parse(document)
    return stored?.version === VERSION ? stored : null
  } catch {
    return null
  }
}
