import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'

const SCOPES = columnsOf('scopes')
const COUNTERS = columnsOf('counters')

interface StoredSeries {
  readonly index: number
  readonly per: unknown
}

/** The settled and reserved totals of a stored scope, as the same text as in the journal. */
export function totalsFromRows(scope: SqlRow | undefined, counters: readonly SqlRow[]): string {
  const series = scope === undefined ? [] : SCOPES.json<readonly StoredSeries[]>(scope, 'series')
  const totals = counters
    .map((row) => [series[COUNTERS.integer(row, 'series')], row.settled, row.reserved] as const)
    .flatMap(([of, settled, reserved]) => (of?.per === null ? [[of.index, settled, reserved] as const] : []))
    .filter(([, settled, reserved]) => settled !== 0 || reserved !== 0)
    .toSorted(([left], [right]) => left - right)
  return JSON.stringify(totals)
}
