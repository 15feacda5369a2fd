import type { KeyRecord } from '../../../core/index.ts'
import type { KeyTable } from '../../ledger/index.ts'
import type { SqlRow, SqlValue, Statement } from '../database/index.ts'
import type { Statements } from '../statements.ts'
import { readRow } from '../verify/unreadable-row-error.ts'
import { columnsOf } from './columns-of.ts'

const KEYS = columnsOf('keys')

const MOST_LISTED = 10_000

/** The keys in the ledger file. Each lookup must `write` first: the file doesn't have pending changes. */
export function createStoredKeyTable(statements: Statements, write: () => void): KeyTable {
  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly KeyRecord[] {
    write()
    return statement.all(...parameters).map(keyFromRow)
  }
  return {
    get: (id) => found(statements.key, id)[0],
    // The change log writes it.
    set() {},
    byHash: (hash) => found(statements.keyByHash, hash)[0],
    list: ({ scopeId = null, most = MOST_LISTED }) => found(statements.keysListed, scopeId, scopeId, most),
  }
}

export function keyFromRow(row: SqlRow): KeyRecord {
  return readRow('keys', KEYS.text(row, 'id'), () => KEYS.json<KeyRecord>(row, 'body'))
}

export function rowFromKey(key: KeyRecord): readonly SqlValue[] {
  const { id, scopeId, hash, createdAtMs, revokedAtMs } = key
  return [id, scopeId, hash, createdAtMs, revokedAtMs, JSON.stringify(key)]
}
