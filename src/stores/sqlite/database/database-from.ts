import { bindParameters } from './bind-parameters.ts'
import { countParameters } from './count-parameters.ts'
import type { Database, Statement } from './database.ts'
import type { Connection } from './driver.ts'
import { beginRead, beginWrite, rollBack } from './transactions.ts'

/** The port over a connection that is ready. */
export function databaseFrom(
  connection: Connection,
  facts: Pick<Database, 'file' | 'created' | 'journalMode' | 'sqliteVersion' | 'assertInPlace'>,
): Database {
  let isOpen = true

  function prepare(sql: string): Statement {
    const count = countParameters(sql)
    const statement = connection.prepare(sql)
    return {
      run: (...parameters) => statement.run(bindParameters(parameters, count)),
      get: (...parameters) => statement.get(bindParameters(parameters, count)),
      all: (...parameters) => statement.all(bindParameters(parameters, count)),
    }
  }

  return {
    ...facts,
    exec: (sql) => connection.exec(sql),
    prepare,
    beginWrite: () => beginWrite(connection),
    beginRead: () => beginRead(connection),
    commit: () => connection.exec('COMMIT'),
    rollback: () => rollBack(connection),
    close() {
      if (isOpen) connection.close()
      isOpen = false
    },
  }
}
