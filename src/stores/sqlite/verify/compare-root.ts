import { COUNTER_METERS, isEnded, keptCallResult, type ReservationState } from '../../../core/index.ts'
import type { Ledger, ReservationRecord, ScopeState } from '../../ledger/index.ts'
import type { CounterSeries } from '../../ledger/state/ledger-state.ts'
import { columnsOf } from '../rows/columns-of.ts'
import { factsText } from '../rows/stored-reservation.ts'
import { startOf } from '../rows/stored-scope.ts'
import { createSqliteLedger } from '../sqlite-ledger.ts'
import type { Statements } from '../statements.ts'
import type { ReportProblem } from './ledger-problem.ts'
import { UnreadableRowError } from './unreadable-row-error.ts'

/** Compares everything stored about a root's tree with the sum of its journal. Returns the number of its scopes. */
export function compareRoot(statements: Statements, root: string, replayed: Ledger, report: ReportProblem): number {
  const stored = createSqliteLedger(statements)
  const ids = new Set(statements.scopesOfRoot.all(root).map((row) => columnsOf('scopes').text(row, 'id')))
  for (const id of ids) {
    const expected = replayed.scopes.get(id)
    if (expected === undefined) report({ place: 'scopes', row: id, problem: 'is in no journal' })
    else whereReadable(report, () => compareScope(statements, storedScope(stored, id), expected, report))
  }
  for (const { id } of replayed.scopes.list({ standing: 'all', most: Number.POSITIVE_INFINITY })) {
    if (!ids.has(id)) report({ place: 'scopes', row: id, problem: 'is missing, but its journal has it' })
  }
  for (const state of ['open', 'assumed', 'settled', 'released'] as const satisfies readonly ReservationState[]) {
    for (const expected of replayed.reservations.list({ state, most: Number.POSITIVE_INFINITY })) {
      whereReadable(report, () => compareReservation(stored.reservations.get(expected.id), expected, report))
    }
  }
  return ids.size
}

function storedScope(stored: Ledger, id: string): ScopeState {
  const scope = stored.scopes.get(id)
  if (scope === undefined) throw new UnreadableRowError('scopes', id, 'it is missing')
  return scope
}

function whereReadable(report: ReportProblem, compare: () => void): void {
  try {
    compare()
  } catch (error) {
    if (!(error instanceof UnreadableRowError)) throw error
    report({ place: error.table, row: error.row, problem: `cannot be read (${error.message})` })
  }
}

function compareScope(statements: Statements, stored: ScopeState, expected: ScopeState, report: ReportProblem): void {
  const found = standingOf(stored)
  for (const [field, value] of Object.entries(standingOf(expected))) {
    if (found[field] === value) continue
    report({ place: 'scopes', row: stored.id, problem: `${field} is ${found[field]}, but its journal says ${value}` })
  }
  // Columns that exist only for lookups and repeat other facts.
  const { root, is_ended: ended } = statements.scope.get(stored.id)!
  if (root !== expected.rootToSelf[0]!.id || ended !== Number(isEnded(expected.status))) {
    report({ place: 'scopes', row: stored.id, problem: 'is filed under the wrong root, or wrongly as ended' })
  }
  const rows = rowsOf(stored)
  const wantedRows = rowsOf(expected)
  for (const key of new Set([...rows.keys(), ...wantedRows.keys()])) {
    const row = rows.get(key) ?? NOTHING
    const wanted = wantedRows.get(key) ?? NOTHING
    const isEnd = row.endMs === wanted.endMs || row === NOTHING || wanted === NOTHING
    if (row.settled === wanted.settled && row.reserved === wanted.reserved && isEnd) continue
    const problem =
      `${key}: settled ${row.settled}, reserved ${row.reserved}; ` +
      `its journal adds up to ${wanted.settled} and ${wanted.reserved}${isEnd ? '' : ', and ends at another time'}`
    report({ place: 'counters', row: stored.id, problem })
  }
}

const NOTHING: Counted = { settled: 0, reserved: 0, endMs: 0 }

interface Counted {
  readonly settled: number
  readonly reserved: number
  readonly endMs: number
}

function standingOf(scope: ScopeState): Readonly<Record<string, unknown>> {
  return {
    name: scope.name,
    parent: scope.parent?.id ?? null,
    kind: scope.kind,
    labels: JSON.stringify(scope.labels),
    opened: scope.openedAtMs,
    closed: scope.closedAtMs,
    owner: scope.owner,
    orphaned: scope.isOrphaned,
    status: scope.status,
    pause: JSON.stringify(scope.pause),
    place: scope.occupiesPlace,
    children: scope.openChildren,
    revision: scope.revision,
    limits: JSON.stringify(scope.limits.map(({ limit }) => limit)),
    ceilings: JSON.stringify(scope.ceilings),
    counted: JSON.stringify(scope.series.map(({ index, per, timeZone, since }) => [index, per, timeZone, since])),
  }
}

function rowsOf(scope: ScopeState): ReadonlyMap<string, Counted> {
  const rows = new Map<string, Counted>()
  for (const series of scope.series) {
    for (const row of [series.present, ...(series.others?.values() ?? [])]) rows.set(nameOf(series, startOf(row)), row)
  }
  return rows
}

function nameOf({ index, per, timeZone }: CounterSeries, startMs: number): string {
  const meter = COUNTER_METERS[index]
  const start = new Date(startMs)
  const window = Number.isNaN(start.valueOf()) ? startMs : start.toISOString()
  return per === null ? `${meter}` : `${meter}/${per} of ${window} (${timeZone})`
}

function compareReservation(
  found: ReservationRecord | undefined,
  expected: ReservationRecord,
  report: ReportProblem,
): void {
  const isFinished = expected.state === 'settled' || expected.state === 'released'
  // Finished reservations may have been pruned.
  if (found === undefined && isFinished) return
  const text = found === undefined ? 'nothing' : reservationText(found)
  const wanted = reservationText(expected)
  if (text === wanted) return
  report({ place: 'reservations', row: expected.id, problem: `is ${text}, but its journal says ${wanted}` })
}

function reservationText(record: ReservationRecord): string {
  const { state, reserved, charged, scope, holder, atMs, sequence } = record
  const facts = factsText(keptCallResult(record.result))
  const priced = facts === null ? {} : { facts }
  return `${state} ${JSON.stringify({ reserved, charged, scope: scope.id, holder, atMs, sequence, ...priced })}`
}
