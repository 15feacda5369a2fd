import type { KeyRecord } from '../../core/index.ts'
import type { KeyShelf } from '../ledger/index.ts'
import type { SqlRow, SqlValue, Statement } from './database/index.ts'
import type { Statements } from './statements.ts'
import { readRow } from './unreadable-row-error.ts'

const MOST_LISTED = 10_000

/** The keys of a ledger's file. Each look must `write` first: the file does not know the latest. */
export function createStoredKeyShelf(statements: Statements, write: () => void): KeyShelf {
  function found(statement: Statement, ...parameters: readonly SqlValue[]): readonly KeyRecord[] {
    write()
    return statement.all(...parameters).map(keyFromRow)
  }
  return {
    get: (id) => found(statements.key, id)[0],
    // Written down by whoever noted the change.
    set() {},
    byHash: (hash) => found(statements.keyByHash, hash)[0],
    list: ({ scopeId = null, most = MOST_LISTED }) => found(statements.keysListed, scopeId, scopeId, most),
  }
}

/** A key as its row has it. */
export function keyFromRow({ id, body }: SqlRow): KeyRecord {
  return readRow('keys', id as string, () => JSON.parse(body as string) as KeyRecord)
}

/** What is written of a key. */
export function rowFromKey(key: KeyRecord): readonly SqlValue[] {
  const { id, scopeId, hash, createdAtMs, revokedAtMs } = key
  return [id, scopeId, hash, createdAtMs, revokedAtMs, JSON.stringify(key)]
}
