interface Executor {
  exec(sql: string): void
}

/** Opens a transaction that may write, or throws at once if another process has the lock. */
export function beginWrite(executor: Executor): void {
  executor.exec('BEGIN IMMEDIATE')
}

/** Opens a transaction that only reads, and takes its lock now and not with the first statement in it. */
export function beginRead(executor: Executor): void {
  executor.exec('BEGIN')
  try {
    executor.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
  } catch (error) {
    rollBack(executor)
    throw error
  }
}

/** Undoes what is open. A transaction that SQLite ended by itself cannot be ended again. */
export function rollBack(executor: Executor): void {
  try {
    executor.exec('ROLLBACK')
  } catch {}
}
