import { beginRead, beginWrite, rollBack } from '../commits/transactions.ts'
import { migratedLedger } from '../file/ledger-file-error.ts'
import { bindParameters } from './bind-parameters.ts'
import { countParameters } from './count-parameters.ts'
import type { Database, Statement } from './database.ts'
import type { Connection } from './driver.ts'

/** The port over a configured connection. */
export function databaseFrom(
  connection: Connection,
  facts: Pick<Database, 'file' | 'created' | 'journalMode' | 'sqliteVersion' | 'assertInPlace'>,
  schema: number,
): Database {
  let isOpen = true
  const userVersion = connection.prepare('PRAGMA user_version')

  /** Under the lock, so that no other process migrates the file between this check and the work that relies on it. */
  function begin(open: (connection: Connection) => void): void {
    open(connection)
    const version = Number(userVersion.get([])?.user_version)
    if (version === schema) return
    rollBack(connection)
    throw migratedLedger(facts.file, version, schema)
  }

  function prepare(sql: string): Statement {
    const count = countParameters(sql)
    const statement = connection.prepare(sql)
    return {
      run: (...parameters) => statement.run(bindParameters(parameters, count)),
      get: (...parameters) => statement.get(bindParameters(parameters, count)),
      all: (...parameters) => statement.all(bindParameters(parameters, count)),
      iterate: (...parameters) => statement.iterate(bindParameters(parameters, count)),
    }
  }

  return {
    ...facts,
    exec: (sql) => connection.exec(sql),
    prepare,
    beginWrite: () => begin(beginWrite),
    beginRead: () => begin(beginRead),
    commit: () => connection.exec('COMMIT'),
    rollback: () => rollBack(connection),
    close() {
      if (isOpen) connection.close()
      isOpen = false
    },
  }
}
