import { StintError } from '../../../../core/stint-error.ts'
import type { Driver } from './driver.ts'
import { loadLibsqlDriver } from './libsql-driver.ts'
import { loadNodeDriver } from './node-driver.ts'

// Neither this Node nor an installed package has SQLite.
class SqliteUnavailableError extends StintError<'sqlite_unavailable'> {
  constructor() {
    super(
      'sqlite_unavailable',
      `Node ${process.versions.node} has no SQLite of its own, and the optional package "libsql" is not installed or ` +
        'not built for this machine. Use Node 24, or install the package: npm install libsql.',
    )
  }
}

/** Node's own SQLite, or else the package that replaces it. */
export function loadDriver(): Driver {
  const driver = loadNodeDriver() ?? loadLibsqlDriver()
  if (driver === null) throw new SqliteUnavailableError()
  return driver
}
