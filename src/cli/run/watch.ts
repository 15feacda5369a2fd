import { InvalidOptionError, isEnded, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import { sleep } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope, MOST_SCOPES } from '../ledger/find-scope.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import type { Report } from '../output/report.ts'
import { createWatchView } from './watch-view.ts'

export interface WatchOptions {
  /** `null`: everything that is open. */
  readonly id: string | null
  readonly isOnce: boolean
  readonly intervalMs: number
  readonly isJson: boolean
}

const SHORTEST_INTERVAL_MS = 100

/**
 * Shows scopes again and again, read from the ledger, so that it does not matter who runs them. Ends when the scope
 * that is watched has ended, or when it is asked to. Everything, on a terminal, is watched until then.
 */
export async function watch(context: CommandContext, options: WatchOptions): Promise<Report> {
  const { platform } = context
  const { intervalMs } = options
  if (intervalMs < SHORTEST_INTERVAL_MS) {
    throw new InvalidOptionError('--interval', `${intervalMs}ms`, `at least ${SHORTEST_INTERVAL_MS}ms`)
  }
  const store = await context.store()
  const rootId = options.id === null ? null : (await findScope(store, options.id, platform.nowMs())).id
  const view = createWatchView(context, { isJson: options.isJson, isOnce: options.isOnce })
  const stopping = new AbortController()
  const callOff = platform.onStop(() => stopping.abort())
  try {
    let known: ReadonlySet<string> = new Set()
    for (;;) {
      const nowMs = platform.nowMs()
      const scopes = await withAssumed(store, await readScopes(store, rootId, known, nowMs), nowMs)
      // Once seen, a scope is shown to its end.
      known = new Set(scopes.map(({ id }) => id))
      view.show(scopes)
      if (options.isOnce || stopping.signal.aborted || isOver(context, scopes, rootId)) break
      await sleep(intervalMs, stopping.signal)
    }
  } finally {
    callOff()
    view.end()
  }
  return { json: null, text: null }
}

function isOver({ platform }: CommandContext, scopes: readonly ScopeReading[], rootId: string | null): boolean {
  if (rootId !== null) return scopes.every(({ id, status }) => id !== rootId || isEnded(status))
  if (platform.isTerminal) return false
  // What was paused yesterday would keep a script waiting for ever.
  return scopes.every(({ kind, status }) => kind === 'lasting' || status === 'paused' || isEnded(status))
}

async function readScopes(
  store: LedgerStore,
  rootId: string | null,
  known: ReadonlySet<string>,
  atMs: number,
): Promise<readonly ScopeReading[]> {
  const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs })
  const isOpen = new Set(open.map(({ id }) => id))
  const gone = [...known, ...(rootId === null ? [] : [rootId])].filter((id) => !isOpen.has(id))
  const ended: ScopeReading[] = []
  for (const id of new Set(gone)) {
    const scope = (await store.read({ scopeId: id, atMs }))?.at(-1)
    if (scope !== undefined) ended.push(scope)
  }
  const all = [...open, ...ended].sort((left, right) => left.openedAtMs - right.openedAtMs)
  return rootId === null ? all : belowOf(all, rootId)
}

/** A scope and everything below it. */
function belowOf(scopes: readonly ScopeReading[], rootId: string): readonly ScopeReading[] {
  const parents = new Map(scopes.map(({ id, parentId }) => [id, parentId]))
  const isBelow = (id: string | null): boolean => {
    for (let at = id; at !== null; at = parents.get(at) ?? null) if (at === rootId) return true
    return false
  }
  return scopes.filter(({ id }) => isBelow(id))
}
