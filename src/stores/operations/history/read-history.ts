import {
  assertTime,
  assertWholeNumber,
  type EventDraft,
  type EventName,
  type HistoryEntry,
  type HistoryOutcome,
  type HistoryRequest,
  type StintEvent,
} from '../../../core/index.ts'
import { readReservation } from '../read-reservation.ts'
import { readScope } from '../read-scope.ts'
import { type HistoryRange, type HistoryTable, type Ledger, scopeIn } from '../state/ledger.ts'
import type { ReservationRecord, ScopeState } from '../state/ledger-state.ts'
import { correctionEvent, endEvent } from './record-call.ts'

const MOST = 1_000
const MOST_SCOPES = 10_000
const CALL_KINDS: readonly EventName[] = ['call_settled', 'reservation_assumed']

/** Checks what only the request says. */
export function assertHistory({ since, before, most, atMs }: HistoryRequest): void {
  assertTime(atMs, 'history')
  if (since !== undefined) assertWholeNumber('history({ since })', since, 0, Number.MAX_SAFE_INTEGER)
  if (before !== undefined) assertWholeNumber('history({ before })', before, 0, Number.MAX_SAFE_INTEGER)
  if (most !== undefined) assertWholeNumber('history({ most })', most, 1, 100_000)
}

/** What happened in a scope and below it. */
export function readHistory(ledger: Ledger, request: HistoryRequest): HistoryOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  const root = scope.rootToSelf[0]!
  const { history } = ledger
  if (history === null) return { kind: 'page', entries: [], cursor: 0, hasMore: false }
  const forgotten = history.forgotten(root)
  const { since, before = Number.MAX_SAFE_INTEGER, most = MOST, latest = false } = request
  if (since !== undefined && since < forgotten) return resetAt(ledger, scope, root.told, request.atMs)
  const kinds = request.kinds === undefined ? null : new Set(request.kinds)
  // One more than requested shows whether there is more.
  const range: HistoryRange = { scope, after: since ?? forgotten, before, kinds, most: most + 1, latest }
  const found = entriesIn(history, range)
  const hasMore = found.length > most
  const entries = latest ? found.slice(-most) : found.slice(0, most)
  const isCut = hasMore && !latest
  const end = Math.max(since ?? 0, Math.min(root.told, before - 1))
  return { kind: 'page', entries, cursor: isCut ? entries.at(-1)!.number : end, hasMore }
}

function resetAt(ledger: Ledger, scope: ScopeState, cursor: number, atMs: number): HistoryOutcome {
  const scopes = [...below(ledger, scope)].slice(0, MOST_SCOPES)
  return { kind: 'reset', scopes: scopes.map((each) => readScope(each, atMs)), cursor }
}

/** The scope and the open ones below it. */
function* below(ledger: Ledger, scope: ScopeState): Iterable<ScopeState> {
  yield scope
  for (const child of ledger.scopes.openBelow(scope)) yield* below(ledger, child)
}

function entriesIn(history: HistoryTable, range: HistoryRange): readonly HistoryEntry[] {
  const { kinds, most, latest } = range
  const entries: HistoryEntry[] = []
  const add = (number: number, draft: EventDraft, record: ReservationRecord | null): void => {
    const call = record === null ? null : readReservation(record)
    const event: StintEvent = { ...draft, seq: number }
    entries.push({ number, event, call })
  }
  for (const { number, draft } of history.events(range)) add(number, draft, null)
  if (kinds === null || CALL_KINDS.some((kind) => kinds.has(kind))) {
    for (const record of history.calls(range, 'end')) add(record.told!, endEvent(record), record)
    for (const record of history.calls(range, 'correction')) {
      add(record.correction!.told, correctionEvent(record), record)
    }
  }
  entries.sort((left, right) => left.number - right.number)
  return latest ? entries.slice(-most) : entries.slice(0, most)
}
