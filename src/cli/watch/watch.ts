import { InvalidOptionError, isEnded, type ScopeReading } from '../../core/index.ts'
import { findScope, MOST_SCOPES } from '../../operate/find/find-scope.ts'
import type { LedgerReader } from '../../operate/operator.ts'
import { scopeDetails } from '../../operate/scopes/scope-details.ts'
import { sleep } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import type { Report } from '../output/report.ts'
import { createWatchView } from './watch-view.ts'

export interface WatchFlags {
  readonly once?: boolean
  readonly interval: string
}

const SHORTEST_INTERVAL_MS = 100

/**
 * Shows scopes from the ledger as they change, whichever process runs them: one and those below it, or all that are
 * open. Ends when that one has ended or the user stops it; all, on a terminal, are watched until then.
 */
export async function watch(context: CommandContext, id: string | null, flags: WatchFlags): Promise<Report> {
  const { platform } = context
  const { once: isOnce = false, interval } = flags
  const intervalMs = durationFromText('--interval', interval, 'a time, e.g. 1s or 200ms')
  if (intervalMs < SHORTEST_INTERVAL_MS) {
    throw new InvalidOptionError('--interval', `${intervalMs}ms`, `at least ${SHORTEST_INTERVAL_MS}ms`)
  }
  const operator = await context.operator()
  const rootId = id === null ? null : (await findScope(operator, id)).id
  const view = createWatchView(context, isOnce)
  const stopping = new AbortController()
  const callOff = platform.onStop(() => stopping.abort())
  try {
    let known: ReadonlySet<string> = new Set()
    for (;;) {
      const scopes = await scopeDetails(operator, await readScopes(operator, rootId, known))
      // Once seen, a scope is shown to its end.
      known = new Set(scopes.map(({ id }) => id))
      view.show(scopes)
      if (isOnce || stopping.signal.aborted || isOver(context, scopes, rootId)) break
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
  // Something paused yesterday would keep a script waiting forever.
  return scopes.every(({ kind, status }) => kind === 'lasting' || status === 'paused' || isEnded(status))
}

async function readScopes(
  { store, nowMs }: LedgerReader,
  rootId: string | null,
  known: ReadonlySet<string>,
): Promise<readonly ScopeReading[]> {
  const atMs = nowMs()
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
