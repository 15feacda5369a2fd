/** What a column holds. Numbers are whole and at most 2^53 - 1 in size. */
export type SqlValue = number | string | null | Uint8Array

export type SqlRow = Readonly<Record<string, SqlValue>>

/** A prepared statement with positional `?` parameters: exactly as many as it has, or it throws and does nothing. */
export interface Statement {
  run(...parameters: readonly SqlValue[]): { readonly changes: number }
  get(...parameters: readonly SqlValue[]): SqlRow | undefined
  all(...parameters: readonly SqlValue[]): readonly SqlRow[]
}

/** Fixed when the file is made: `wal` where SQLite has no bug in it, else `rollback`. */
export type JournalMode = 'wal' | 'rollback'

/** An open ledger file. It never waits for a lock: `isBusyError` tells when to try again. */
export interface Database {
  /** Absolute and with links resolved, so that all names of a ledger share one high-water file. */
  readonly file: string
  /** Whether this call made the file. */
  readonly created: boolean
  readonly journalMode: JournalMode
  readonly sqliteVersion: string
  /** Throws `ledger_replaced` where the file, or one that belongs to it, is another or gone. For good. */
  assertInPlace(): void
  /** Runs any number of statements, without parameters. */
  exec(sql: string): void
  prepare(sql: string): Statement
  /** Opens a transaction that may write. Busy: at once. Throws `ledger_newer` where others have migrated the file. */
  beginWrite(): void
  /** Opens a transaction that only reads, all of it the same state. Busy: at once, and never later. */
  beginRead(): void
  /** In rollback mode this can be busy too, while others read: the transaction stays open, try again. */
  commit(): void
  /** Never throws. */
  rollback(): void
  /** Idempotent. */
  close(): void
}
