import type { KeyRecord } from '../../../core/index.ts'
import type { KeyTable } from '../../operations/index.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow, SqlValue } from '../rows/sql-row.ts'
import { readRow } from '../rows/unreadable-row-error.ts'

const KEYS = columnsOf('keys')

/** The stored keys. Each lookup must `flush` first: pending changes aren't in the rows. */
export function createStoredKeys(source: RowSource, flush: () => void): KeyTable {
  function first(look: () => SqlRow | undefined): KeyRecord | undefined {
    flush()
    const row = look()
    return row === undefined ? undefined : keyFromRow(row)
  }
  return {
    get: (id) => first(() => source.key(id)),
    // The change log writes it.
    set() {},
    byHash: (hash) => first(() => source.keyByHash(hash)),
    list(filter) {
      flush()
      return source.keysListed(filter).map(keyFromRow)
    },
  }
}

export function keyFromRow(row: SqlRow): KeyRecord {
  return readRow('keys', KEYS.text(row, 'id'), () => KEYS.json<KeyRecord>(row, 'body'))
}

/** A key as the values of `writeKey`. */
export function rowFromKey(key: KeyRecord): readonly SqlValue[] {
  const { id, scopeId, hash, createdAtMs, revokedAtMs } = key
  return [id, scopeId, hash, createdAtMs, revokedAtMs, JSON.stringify(key)]
}
