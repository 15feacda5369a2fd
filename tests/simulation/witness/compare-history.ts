import type { HistoryEntry, LedgerStore } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import { compareSums } from './compare-sums.ts'
import { vectorFrom } from './meters.ts'
import type { Books } from './witness.ts'

/** What the history says of operations that the witness saw. Thresholds and requests are the product's to name. */
const SEEN = [
  'scope_opened',
  'scope_closed',
  'agent_paused',
  'agent_resumed',
  'call_settled',
  'reservation_assumed',
] as const

/** The events of a tree that the witness can foresee. */
export type ForeseenEvent = (typeof SEEN)[number]

/** Notes that an operation must be one event of the history. */
export function foresee(books: Pick<Books, 'foreseen'>, event: ForeseenEvent, id: string): void {
  const key = `${event} ${id}`
  books.foreseen.set(key, (books.foreseen.get(key) ?? 0) + 1)
}

/** Whether the history has everything that happened once, in numbers without gaps, with what was charged, and its sums. */
export async function compareHistory(books: Books, observer: LedgerStore, atMs: number): Promise<void> {
  const found = new Map<string, number>()
  for (const scope of books.scopes.values()) {
    if (scope.parent !== null) continue
    const entries = await entriesOf(observer, scope.id, atMs)
    for (const [place, { number, event }] of entries.entries()) {
      const what = `event ${number} of ${scope.id} (${event.event})`
      demand(number === place + 1, 'every event once', () => `${what} stands where ${place + 1} should`)
      demand(event.seq === number, 'every event once', () => `${what} calls itself ${event.seq}`)
      const key = keyOf(event)
      if (key !== null) found.set(key, (found.get(key) ?? 0) + 1)
    }
    compareCharges(books, entries)
  }
  for (const key of new Set([...found.keys(), ...books.foreseen.keys()])) {
    const [times = 0, due = 0] = [found.get(key), books.foreseen.get(key)]
    demand(
      times === due,
      'every event once',
      () => `${key} is in the history ${times} times, and happened ${due} times`,
    )
  }
  await compareSums(books, observer)
}

async function entriesOf(observer: LedgerStore, scopeId: string, atMs: number): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let since = 0; ; ) {
    const page = await observer.history({ scopeId, since, most: 500, atMs })
    if (page.kind === 'reset') return demand(false, 'every event once', () => `${scopeId} has forgotten events`) ?? []
    entries.push(...page.entries)
    since = page.cursor
    if (!page.hasMore) return entries
  }
}

/** The last event of a call has what it was charged in the end. */
function compareCharges({ reservations }: Books, entries: readonly HistoryEntry[]): void {
  const last = new Map<string, HistoryEntry>()
  for (const entry of entries) if (entry.call !== null) last.set(entry.call.id, entry)
  for (const [id, { event }] of last) {
    if (event.event !== 'call_settled' && event.event !== 'reservation_assumed') continue
    const { charged } = reservations.get(id)!
    const told = vectorFrom(event.charged)
    demand(String(told) === String(charged), 'every event once', () => {
      return `the history says that ${id} was charged ${told}, but it was ${charged}`
    })
  }
}

function keyOf(event: HistoryEntry['event']): string | null {
  if (!SEEN.some((each) => each === event.event)) return null
  const id = 'reservation' in event ? event.reservation : event.scope
  return `${event.event} ${id}`
}
