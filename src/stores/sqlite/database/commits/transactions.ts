interface Executor {
  exec(sql: string): void
}

/** Opens a write transaction, or throws at once if another process has the lock. */
export function beginWrite(executor: Executor): void {
  executor.exec('BEGIN IMMEDIATE')
}

/** Opens a read transaction and takes its lock now, not with its first statement. */
export function beginRead(executor: Executor): void {
  executor.exec('BEGIN')
  try {
    executor.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
  } catch (error) {
    rollBack(executor)
    throw error
  }
}

/** Rolls back the open transaction. One that SQLite ended by itself can't be ended again. */
export function rollBack(executor: Executor): void {
  try {
    executor.exec('ROLLBACK')
  } catch {}
}
