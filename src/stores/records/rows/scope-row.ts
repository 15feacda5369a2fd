import {
  type Announced,
  ceilingsAmong,
  isEnded,
  type Limit,
  type NewScope,
  type PauseRecord,
  type Period,
  SCOPE_KINDS,
  type ScopeAbout,
  STATUSES,
} from '../../../core/index.ts'
import { watchFromText, watchText } from '../../operations/alerts/watch-ends.ts'
import { emptyRow } from '../../operations/state/counter-series.ts'
import type { CounterRow, CounterSeries, ScopeState } from '../../operations/state/ledger-state.ts'
import { createLimitState, keptLimit } from '../../operations/state/limit-state.ts'
import { columnsOf } from './columns-of.ts'
import type { SqlRow, SqlValue } from './sql-row.ts'

const SCOPES = columnsOf('scopes')
const COUNTERS = columnsOf('counters')
const HOLDS = columnsOf('holds')

interface StoredLimit {
  readonly limit: Limit
  /** The ordinal of its series; `null` if the meter isn't a counter. */
  readonly series: number | null
  readonly told: boolean
}

interface StoredSeries {
  readonly index: number
  readonly per: Period | null
  readonly timeZone: string
  readonly since: number
  /** The ordinal of the series, its row, and the row that it was taken over into. */
  readonly takenOver: readonly [number, number, number] | null
  readonly present: number
  readonly latest: number
}

/** A scope as the values of `writeScope`. */
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
    scope.about === null ? null : JSON.stringify(scope.about),
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
    scope.told,
    watchTextOf(scope),
  ]
}

/** The stored values for a scope's alert rules. */
export function watchTextOf({ watch }: ScopeState): string | null {
  return watch === null ? null : watchText(watch)
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

// An endless window has no start that a file could store.
const LIFE_START = 0

/** The stored start of a window. */
export function startOf({ startMs }: CounterRow): number {
  return Number.isFinite(startMs) ? startMs : LIFE_START
}

/** The stored end of a window. */
export function endOf({ endMs }: CounterRow): number {
  return Number.isFinite(endMs) ? endMs : LIFE_START
}

/** The stored announcements of a window. */
export function announcedText({ announced }: CounterRow): string | null {
  return announced === null ? null : JSON.stringify([...announced])
}

/** The identity of a stored scope. */
export function identityFrom(row: SqlRow): Omit<NewScope, 'limits'> {
  return {
    id: SCOPES.text(row, 'id'),
    name: SCOPES.text(row, 'name'),
    kind: SCOPES.oneOf(row, 'kind', SCOPE_KINDS),
    owner: SCOPES.textOrNull(row, 'owner'),
    labels: SCOPES.json<Record<string, string>>(row, 'labels'),
    ...(typeof row.about === 'string' ? { about: SCOPES.json<ScopeAbout>(row, 'about') } : {}),
  }
}

/** Everything that is stored of one scope. */
export interface StoredScope {
  readonly row: SqlRow
  readonly counters: readonly SqlRow[]
  /** Holds on its limits, in the order they were taken. */
  readonly holdsOn: readonly SqlRow[]
  /** Its own holds on the limits of its path. */
  readonly holdsOf: readonly SqlRow[]
}

/** Updates a scope in memory from what is stored, in place: others on its path refer to it. */
export function fillScope(scope: ScopeState, stored: StoredScope): void {
  const { row } = stored
  scope.owner = SCOPES.textOrNull(row, 'owner')
  scope.isOrphaned = row.is_orphaned === 1
  scope.status = SCOPES.oneOf(row, 'status', STATUSES)
  scope.closedAtMs = SCOPES.integerOrNull(row, 'closed_at')
  scope.pause = row.pause === null ? null : SCOPES.json<PauseRecord>(row, 'pause')
  scope.occupiesPlace = row.occupies_place === 1
  scope.revision = SCOPES.integer(row, 'revision')
  scope.activeMs = SCOPES.integer(row, 'active_ms')
  scope.openChildren = SCOPES.integer(row, 'open_children')
  // The checkpoint of a journal doesn't have it.
  scope.told = row.told === undefined ? 0 : SCOPES.integer(row, 'told')
  scope.watch = typeof row.watch === 'string' ? watchFromText(row.watch) : null
  fillSeries(scope, SCOPES.json<readonly StoredSeries[]>(row, 'series'), stored.counters)
  fillHolds(scope, stored)
  scope.limits = SCOPES.json<readonly StoredLimit[]>(row, 'limits').map(({ limit, series, told }) => {
    const state = createLimitState(scope.id, limit, series === null ? null : scope.series[series]!)
    state.isExceededTold = told
    for (const amount of scope.holders?.get(state.key)?.values() ?? []) state.held += amount
    return state
  })
  scope.ceilings = ceilingsFrom(row, scope.limits)
}

/** A row from before ceilings were stored has only those among its limits. */
function ceilingsFrom(row: SqlRow, limits: ScopeState['limits']): readonly Limit[] {
  if (typeof row.ceilings === 'string') return SCOPES.json<readonly Limit[]>(row, 'ceilings').map(keptLimit)
  return ceilingsAmong(limits.map(({ limit }) => limit))
}

function fillSeries(scope: ScopeState, stored: readonly StoredSeries[], counters: readonly SqlRow[]): void {
  const rows = stored.map(() => new Map<number, CounterRow>())
  for (const counter of counters) {
    const series = COUNTERS.integer(counter, 'series')
    const startMs = COUNTERS.integer(counter, 'start_ms')
    const isLife = stored[series]!.per === null
    const row = isLife
      ? emptyRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
      : emptyRow(startMs, COUNTERS.integer(counter, 'end_ms'))
    row.settled = COUNTERS.integer(counter, 'settled')
    row.reserved = COUNTERS.integer(counter, 'reserved')
    row.announced =
      counter.announced === null ? null : new Map(COUNTERS.json<[string, Announced][]>(counter, 'announced'))
    rows[series]!.set(startMs, row)
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
  if (present === undefined) throw new Error('its current window is missing')
  const others = new Map(own)
  others.delete(stored.present)
  // If the row was dropped in the meantime, nothing can be counted in it any more.
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
  for (const row of holdsOn) {
    scope.holders ??= new Map()
    const key = HOLDS.text(row, 'limit_key')
    const holders = scope.holders.get(key) ?? new Map<string, number>()
    holders.set(HOLDS.text(row, 'holder'), HOLDS.integer(row, 'amount'))
    scope.holders.set(key, holders)
  }
  scope.holds = holdsOf.map((row) => {
    return {
      scopeId: HOLDS.text(row, 'scope'),
      key: HOLDS.text(row, 'limit_key'),
      amount: HOLDS.integer(row, 'amount'),
    }
  })
}
