import type { IncreaseRecord } from '../../../core/index.ts'
import type { RequestTable } from '../../operations/index.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import { readRow } from '../rows/unreadable-row-error.ts'

const REQUESTS = columnsOf('requests')

/** The stored requests for more. Each lookup must `flush` first: pending changes aren't in the rows. */
export function createStoredRequests(source: RowSource, flush: () => void): RequestTable {
  function found(look: () => readonly SqlRow[]): readonly IncreaseRecord[] {
    flush()
    return look().map(requestFromRow)
  }
  function first(look: () => SqlRow | undefined): IncreaseRecord | undefined {
    flush()
    const row = look()
    return row === undefined ? undefined : requestFromRow(row)
  }
  return {
    get: (id) => first(() => source.request(id)),
    // The change log writes it.
    set() {},
    openFor: (key) => first(() => source.requestOpenFor(key)),
    openOf: (scopeId) => found(() => source.requestsOpenOf(scopeId)),
    list: (filter) => found(() => source.requestsListed(filter)),
  }
}

function requestFromRow(row: SqlRow): IncreaseRecord {
  return readRow('requests', REQUESTS.text(row, 'id'), () => REQUESTS.json<IncreaseRecord>(row, 'body'))
}
