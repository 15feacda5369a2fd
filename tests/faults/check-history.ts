import type { HistoryEntry, LedgerStore } from '../../src/core/index.ts'
import type { Book } from './book.ts'

/** What was read of the history so far. */
export interface SeenHistory {
  /** By root, the number of the last event. */
  readonly cursors: Map<string, number>
  /** How often each event appeared, by its kind and what identifies it. */
  readonly times: Map<string, number>
}

export function createSeenHistory(): SeenHistory {
  return { cursors: new Map(), times: new Map() }
}

/** Reads the rest of the history of a ledger without writers, and compares it with what the workers recorded. */
export async function checkHistory(
  store: LedgerStore,
  roots: readonly string[],
  seen: SeenHistory,
  told: { readonly book: Book; readonly assumed: ReadonlySet<string>; readonly raised: ReadonlySet<string> },
): Promise<readonly string[]> {
  const { book, assumed, raised } = told
  const problems: string[] = []
  for (const root of roots) problems.push(...(await readOn(store, root, seen)))
  for (const [what, times] of seen.times) if (times > 1) problems.push(`${what}: ${times} times in the history`)
  const happened = [
    ...[...book.settled.keys()].map((id) => `call_settled ${id}`),
    ...[...assumed].map((id) => `reservation_assumed ${id}`),
    ...[...book.opened].map((id) => `scope_opened ${id}`),
    ...[...book.closed].map((id) => `scope_closed ${id}`),
    ...[...book.paused].map((by) => `agent_paused ${by}`),
    ...[...book.resumed].map((by) => `agent_resumed ${by}`),
    ...[...raised].map((by) => `limit_raised ${by}`),
  ]
  for (const what of happened) if (!seen.times.has(what)) problems.push(`${what}: happened, and is not in the history`)
  for (const what of seen.times.keys()) {
    const [event, id = ''] = what.split(' ', 2)
    const isUnknown = event === 'call_settled' && !book.settling.has(id)
    if (isUnknown || (event === 'reservation_assumed' && !assumed.has(id))) problems.push(`${what}: nobody did that`)
  }
  return problems
}

async function readOn(store: LedgerStore, root: string, { cursors, times }: SeenHistory): Promise<readonly string[]> {
  for (;;) {
    const since = cursors.get(root) ?? 0
    const outcome = await store.history({ scopeId: root, since, atMs: Date.now() })
    // What is pruned is older than the last check.
    if (outcome.kind === 'reset') return [`${root}: what happened after event ${since} was forgotten`]
    for (const [place, { number }] of outcome.entries.entries()) {
      if (number !== since + place + 1) return [`${root}: event ${since + place + 1} is missing, ${number} comes next`]
    }
    for (const entry of outcome.entries) {
      const what = nameOf(entry)
      if (what !== null) times.set(what, (times.get(what) ?? 0) + 1)
    }
    cursors.set(root, outcome.cursor)
    if (!outcome.hasMore) return []
  }
}

function nameOf({ event }: HistoryEntry): string | null {
  if (event.event === 'call_settled' || event.event === 'reservation_assumed') {
    return `${event.event} ${event.reservation}`
  }
  // Each pause has a unique reason; each resume and raise a unique person.
  if (event.event === 'agent_paused') return `${event.event} ${'reason' in event ? event.reason : ''}`
  if (event.event === 'agent_resumed' || event.event === 'limit_raised') return `${event.event} ${event.by}`
  return event.event === 'scope_opened' || event.event === 'scope_closed' ? `${event.event} ${event.scope}` : null
}
