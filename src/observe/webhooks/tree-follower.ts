import { type HistoryEntry, isStintError, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import type { SinkState } from './sink-state.ts'
import type { Webhook } from './webhook.ts'

const PAGE = 100
const MOST_TREES = 10_000
const HOUR_MS = 3_600_000

export interface FollowedStore {
  readonly store: Pick<LedgerStore, 'changed' | 'history' | 'list' | 'read'>
  readonly nowMs: () => number
}

/** The trees in which something may have happened, and where the next look begins. */
export async function changedTrees(
  { store, nowMs }: FollowedStore,
  state: SinkState,
): Promise<{ readonly roots: readonly string[]; readonly cursor: number }> {
  const { cursor, roots } = await store.changed({ since: state.changed })
  // A cursor that went back is that of a ledger that was restored.
  const knowsAll = state.changed !== null && roots !== null && cursor >= state.changed
  if (knowsAll) return { roots, cursor }
  const atMs = nowMs()
  const endedSinceMs = Math.max(0, Math.min(state.lookedAtMs, atMs) - HOUR_MS)
  const filter = { parentId: null, most: MOST_TREES, atMs }
  const open = await store.list({ standing: 'open', ...filter })
  const ended = await store.list({ standing: 'ended', endedSinceMs, ...filter })
  return { roots: [...new Set([...open, ...ended].map(({ id }) => id))], cursor }
}

/** The events of a tree that were not looked at yet, a page at a time. */
export async function* eventsOf(
  { store, nowMs }: FollowedStore,
  { events }: Pick<Webhook, 'events'>,
  state: SinkState,
  rootId: string,
): AsyncGenerator<HistoryEntry> {
  try {
    state.roots[rootId] ??= await startOf({ store, nowMs }, state, rootId)
    for (;;) {
      const since: number = state.roots[rootId]!
      const page = await store.history({ scopeId: rootId, since, kinds: events, most: PAGE, atMs: nowMs() })
      if (page.kind === 'page') {
        for (const entry of page.entries) {
          yield entry
          state.roots[rootId] = entry.number
        }
      }
      state.roots[rootId] = page.cursor
      if (page.kind === 'reset' || !page.hasMore) return
    }
  } catch (error) {
    // The tree was pruned.
    if (!isStintError(error) || error.code !== 'unknown_scope') throw error
    delete state.roots[rootId]
  }
}

/** The first time, everything that there is counts as looked at: by number, since a clock may go back. */
export async function startAtEnd(followed: FollowedStore, state: SinkState): Promise<void> {
  const { roots, cursor } = await changedTrees(followed, state)
  for (const rootId of roots) state.roots[rootId] = await endOf(followed, rootId)
  state.changed = cursor
  state.lookedAtMs = followed.nowMs()
}

async function endOf({ store, nowMs }: FollowedStore, rootId: string): Promise<number> {
  const page = await store.history({ scopeId: rootId, latest: true, most: 1, atMs: nowMs() })
  return page.cursor
}

/** Trees that ended long ago are not kept in the state: all of theirs was looked at. */
async function startOf({ store, nowMs }: FollowedStore, state: SinkState, rootId: string): Promise<number> {
  const root: ScopeReading | undefined = (await store.read({ scopeId: rootId, atMs: nowMs() }))?.[0]
  const closedAtMs = root?.closedAtMs ?? null
  if (closedAtMs === null || closedAtMs >= state.lookedAtMs - HOUR_MS) return 0
  return endOf({ store, nowMs }, rootId)
}

/** Forgets how far it came in trees that ended more than an hour ago. */
export async function forgetEnded({ store, nowMs }: FollowedStore, state: SinkState): Promise<void> {
  const atMs = nowMs()
  const filter = { parentId: null, most: MOST_TREES, atMs }
  const open = await store.list({ standing: 'open', ...filter })
  const ended = await store.list({ standing: 'ended', endedSinceMs: Math.max(0, atMs - 2 * HOUR_MS), ...filter })
  // With more than can be listed, some would be forgotten that are open.
  if (open.length === MOST_TREES || ended.length === MOST_TREES) return
  const kept = new Set([...open, ...ended].map(({ id }) => id))
  for (const rootId of Object.keys(state.roots)) if (!kept.has(rootId)) delete state.roots[rootId]
}
