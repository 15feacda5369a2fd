import type { DatabaseSync as Database, StatementSync } from 'node:sqlite'

/** Where a worker may die: at any moment, or exactly here. */
export const KILL_POINTS = [
  'anywhere',
  'while opening the file',
  'before a transaction',
  'in the middle of a transaction',
  'before a commit',
  'after a commit',
  'after a grant was told',
  'before a settlement',
  'while a settlement waits',
  'after a settlement was told',
  'while pruning',
] as const

export type KillPoint = (typeof KILL_POINTS)[number]

/** Ends this process as `kill -9` does: nothing is flushed, closed or reported. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** Ends this process when it reaches the point for the `count`th time. */
export function createDeath(point: KillPoint, count: number): (reached: KillPoint) => void {
  let left = count
  return (reached) => {
    if (reached === point && --left <= 0) die()
  }
}

/** Tells of every transaction that this process makes, from below the store. Before a store is opened. */
export function watchTransactions(reached: (point: KillPoint) => void): void {
  const sqlite = process.getBuiltinModule('node:sqlite')
  const getBuiltinModule = process.getBuiltinModule.bind(process)
  class WatchedDatabase extends sqlite.DatabaseSync {
    override exec(sql: string): void {
      if (sql === 'BEGIN IMMEDIATE') reached('before a transaction')
      if (sql === 'COMMIT') reached('before a commit')
      super.exec(sql)
      if (sql === 'COMMIT') reached('after a commit')
    }

    override prepare(...args: Parameters<Database['prepare']>): StatementSync {
      const statement = super.prepare(...args)
      const run = statement.run.bind(statement) as StatementSync['run']
      statement.run = ((...parameters: Parameters<typeof run>) => {
        const outcome = run(...parameters)
        reached('in the middle of a transaction')
        return outcome
      }) as StatementSync['run']
      return statement
    }
  }
  process.getBuiltinModule = ((name: string) => {
    return name === 'node:sqlite' ? { ...sqlite, DatabaseSync: WatchedDatabase } : getBuiltinModule(name)
  }) as typeof process.getBuiltinModule
}
