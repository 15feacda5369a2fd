import { COUNTER_METERS, isEnded, keptCallResult, type ReservationState } from '../../../core/index.ts'
import type { Ledger, ReservationRecord, ScopeState } from '../../operations/index.ts'
import type { CounterSeries } from '../../operations/state/ledger-state.ts'
import { factsText } from '../rows/reservation-row.ts'
import { startOf } from '../rows/scope-row.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import { UnreadableRowError } from '../rows/unreadable-row-error.ts'
import type { ReportProblem } from './ledger-problem.ts'

/** What is stored about the tree of a root. */
export interface StoredTree {
  readonly ledger: Ledger
  readonly scopeIds: readonly string[]
  /** Columns of a scope that exist only for lookups and repeat other facts. */
  filedUnder(scopeId: string): SqlRow
}

/** How much of a tree is stored. */
export interface ComparedTree {
  readonly scopes: number
  readonly unfinished: number
}

/** Compares the stored tree of a root, and its unfinished reservations, with the sum of its journal. */
export function compareRoot(tree: StoredTree, replayed: Ledger, report: ReportProblem): ComparedTree {
  compareScopes(tree, replayed, report)
  reportMissing(new Set(tree.scopeIds), replayed, report)
  const unfinished = unfinishedIn(replayed).filter((expected) => compareReservation(tree, expected, report))
  return { scopes: tree.scopeIds.length, unfinished: unfinished.length }
}

/** Compares the scopes of a tree, or of a part of it. */
export function compareScopes(tree: StoredTree, replayed: Ledger, report: ReportProblem): void {
  for (const id of tree.scopeIds) {
    const expected = replayed.scopes.get(id)
    if (expected === undefined) report({ place: 'scopes', row: id, problem: 'is in no journal' })
    else whereReadable(report, () => compareScope(tree, storedScope(tree.ledger, id), expected, report))
  }
}

/** Reports the scopes of a journal that are not stored. */
export function reportMissing(stored: ReadonlySet<string>, replayed: Ledger, report: ReportProblem): void {
  for (const { id } of replayed.scopes.list({ standing: 'all', most: Number.POSITIVE_INFINITY })) {
    if (!stored.has(id)) report({ place: 'scopes', row: id, problem: 'is missing, but its journal has it' })
  }
}

/** The reservations that have not ended: few. */
export function unfinishedIn(replayed: Ledger): readonly ReservationRecord[] {
  const states = ['open', 'assumed'] as const satisfies readonly ReservationState[]
  return states.flatMap((state) => [...replayed.reservations.list({ state, most: Number.POSITIVE_INFINITY })])
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

function compareScope(tree: StoredTree, stored: ScopeState, expected: ScopeState, report: ReportProblem): void {
  const found = standingOf(stored)
  for (const [field, value] of Object.entries(standingOf(expected))) {
    if (found[field] === value) continue
    report({ place: 'scopes', row: stored.id, problem: `${field} is ${found[field]}, but its journal says ${value}` })
  }
  const { root, is_ended: ended } = tree.filedUnder(stored.id)
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

/** Compares a reservation with its journal. Whether it is stored, readable or not. */
export function compareReservation(tree: StoredTree, expected: ReservationRecord, report: ReportProblem): boolean {
  let isStored = true
  whereReadable(report, () => {
    const found = tree.ledger.reservations.get(expected.id)
    isStored = found !== undefined
    compareFound(found, expected, report)
  })
  return isStored
}

function compareFound(found: ReservationRecord | undefined, expected: ReservationRecord, report: ReportProblem): void {
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
