import { type Announced, ceilingsAmong, isEnded, type Limit, type PauseRecord, type Period } from '../../core/index.ts'
import { emptyRow } from '../ledger/counter-series.ts'
import type { CounterRow, CounterSeries, ScopeState } from '../ledger/ledger-state.ts'
import { createLimitState, keptLimit } from '../ledger/limit-state.ts'
import type { SqlRow, SqlValue } from './database/index.ts'

interface StoredLimit {
  readonly limit: Limit
  /** The ordinal of the series that it is about; `null` for what is no counter. */
  readonly series: number | null
  readonly told: boolean
}

interface StoredSeries {
  readonly index: number
  readonly per: Period | null
  readonly timeZone: string
  readonly since: number
  /** The ordinal of the series, its row, and the row that it went into. */
  readonly takenOver: readonly [number, number, number] | null
  readonly present: number
  readonly latest: number
}

/** A scope as a row, in the order of the columns. */
export function rowFromScope(scope: ScopeState, change: number, steered: number): readonly SqlValue[] {
  const limits: readonly StoredLimit[] = scope.limits.map(({ limit, series, isExceededTold }) => {
    return { limit, series: series?.ordinal ?? null, told: isExceededTold }
  })
  return [
    scope.id,
    scope.rootToSelf[0]!.id,
    scope.parent?.id ?? null,
    scope.name,
    scope.kind,
    JSON.stringify(scope.labels),
    scope.openedAtMs,
    scope.owner,
    Number(scope.isOrphaned),
    scope.status,
    Number(isEnded(scope.status)),
    scope.closedAtMs,
    scope.pause === null ? null : JSON.stringify(scope.pause),
    Number(scope.occupiesPlace),
    scope.revision,
    JSON.stringify(limits),
    JSON.stringify(scope.ceilings),
    JSON.stringify(scope.series.map(storedSeries)),
    scope.activeMs,
    scope.openChildren,
    change,
    steered,
  ]
}

function storedSeries(series: CounterSeries): StoredSeries {
  const { index, per, timeZone, since, takenOver, present, latestStartMs } = series
  return {
    index,
    per,
    timeZone,
    since,
    takenOver: takenOver === null ? null : [takenOver.series.ordinal, takenOver.row.startMs, takenOver.into.startMs],
    present: startOf(present),
    latest: Number.isFinite(latestStartMs) ? latestStartMs : LIFE_START,
  }
}

// An endless window has no start that a file could hold.
const LIFE_START = 0

/** Where a window begins, as a file holds it. */
export function startOf({ startMs }: CounterRow): number {
  return Number.isFinite(startMs) ? startMs : LIFE_START
}

/** Where a window ends, as a file holds it. */
export function endOf({ endMs }: CounterRow): number {
  return Number.isFinite(endMs) ? endMs : LIFE_START
}

/** What was said of the limits in a window, as a file holds it. */
export function announcedText({ announced }: CounterRow): string | null {
  return announced === null ? null : JSON.stringify([...announced])
}

/** Everything that is stored of one scope. */
export interface StoredScope {
  readonly row: SqlRow
  readonly counters: readonly SqlRow[]
  /** Who holds something on its limits, in the order in which the holds were taken. */
  readonly holdsOn: readonly SqlRow[]
  /** What it holds on the limits of its path. */
  readonly holdsOf: readonly SqlRow[]
}

/** Makes a scope that is in memory what is stored of it, in place: others on its path refer to it. */
export function fillScope(scope: ScopeState, stored: StoredScope): void {
  const { row } = stored
  scope.owner = row.owner as string | null
  scope.isOrphaned = row.is_orphaned === 1
  scope.status = row.status as ScopeState['status']
  scope.closedAtMs = row.closed_at as number | null
  scope.pause = row.pause === null ? null : (JSON.parse(row.pause as string) as PauseRecord)
  scope.occupiesPlace = row.occupies_place === 1
  scope.revision = row.revision as number
  scope.activeMs = row.active_ms as number
  scope.openChildren = row.open_children as number
  fillSeries(scope, JSON.parse(row.series as string) as readonly StoredSeries[], stored.counters)
  fillHolds(scope, stored)
  scope.limits = (JSON.parse(row.limits as string) as readonly StoredLimit[]).map(({ limit, series, told }) => {
    const state = createLimitState(scope.id, limit, series === null ? null : scope.series[series]!)
    state.isExceededTold = told
    for (const amount of scope.holders?.get(state.key)?.values() ?? []) state.held += amount
    return state
  })
  scope.ceilings = ceilingsFrom(row, scope.limits)
}

/** A row from before ceilings were kept says nothing of them, and has those that stand among its limits. */
function ceilingsFrom({ ceilings }: SqlRow, limits: ScopeState['limits']): readonly Limit[] {
  if (typeof ceilings === 'string') return (JSON.parse(ceilings) as readonly Limit[]).map(keptLimit)
  return ceilingsAmong(limits.map(({ limit }) => limit))
}

function fillSeries(scope: ScopeState, stored: readonly StoredSeries[], counters: readonly SqlRow[]): void {
  const rows = stored.map(() => new Map<number, CounterRow>())
  for (const counter of counters) {
    const { series, start_ms: startMs, end_ms: endMs, settled, reserved, announced } = counter
    const isLife = stored[series as number]!.per === null
    const row = isLife
      ? emptyRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
      : emptyRow(startMs as number, endMs as number)
    row.settled = settled as number
    row.reserved = reserved as number
    row.announced = announced === null ? null : new Map(JSON.parse(announced as string) as [string, Announced][])
    rows[series as number]!.set(startMs as number, row)
  }
  scope.series.length = 0
  scope.periodSeries.length = 0
  scope.counted = 0
  for (const [ordinal, each] of stored.entries()) {
    const series = seriesFrom(scope, ordinal, each, rows)
    scope.series.push(series)
    if (each.per === null) scope.counted |= 1 << each.index
    else scope.periodSeries.push(series)
  }
}

function seriesFrom(
  scope: ScopeState,
  ordinal: number,
  stored: StoredSeries,
  rows: readonly Map<number, CounterRow>[],
): CounterSeries {
  const { index, per, timeZone, since, takenOver, latest } = stored
  const own = rows[ordinal]!
  if (per === null) {
    const present = own.get(LIFE_START) ?? emptyRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    const latestStartMs = present.startMs
    return { scope, ordinal, index, per, timeZone, since, takenOver: null, present, others: null, latestStartMs }
  }
  const present = own.get(stored.present)
  if (present === undefined) throw new Error('the window that it is in is missing')
  const others = new Map(own)
  others.delete(stored.present)
  // A row that was dropped meanwhile is nobody's: nothing can be counted in it any more.
  const from = takenOver === null ? null : (rows[takenOver[0]]!.get(takenOver[1]) ?? emptyRow(0, 0))
  const into = takenOver === null ? null : (own.get(takenOver[2]) ?? emptyRow(0, 0))
  return {
    scope,
    ordinal,
    index,
    per,
    timeZone,
    since,
    takenOver:
      takenOver === null || from === null || into === null
        ? null
        : { series: scope.series[takenOver[0]]!, row: from, into },
    present,
    others,
    latestStartMs: latest,
  }
}

function fillHolds(scope: ScopeState, { holdsOn, holdsOf }: StoredScope): void {
  scope.holders = null
  for (const { limit_key: key, holder, amount } of holdsOn) {
    scope.holders ??= new Map()
    const holders = scope.holders.get(key as string) ?? new Map<string, number>()
    holders.set(holder as string, amount as number)
    scope.holders.set(key as string, holders)
  }
  scope.holds = holdsOf.map(({ scope: scopeId, limit_key: key, amount }) => {
    return { scopeId: scopeId as string, key: key as string, amount: amount as number }
  })
}
