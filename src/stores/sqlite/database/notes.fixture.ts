import type { Clock } from '../../../core/ports/clock-and-ids.ts'
import type { Driver } from './drivers/driver.ts'
import { loadLibsqlDriver } from './drivers/libsql-driver.ts'
import { loadNodeDriver } from './drivers/node-driver.ts'

/** Both libraries: Node 20 gets the older one, and it runs here too. */
export const drivers: readonly Driver[] = [loadNodeDriver(), loadLibsqlDriver()].filter((driver) => driver !== null)

export const [nodeDriver, libsqlDriver] = drivers as [Driver, Driver]

export const APPLICATION_ID = 0x5374_6e74

export const MIGRATIONS = [
  'CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, writer TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB) STRICT;' +
    'CREATE TABLE replies (note INTEGER NOT NULL REFERENCES notes (id)) STRICT',
  'CREATE INDEX notes_by_writer ON notes (writer)',
] as const

/** The time of this machine, for tests with real processes. */
export const machineClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timeout = setTimeout(callback, delayMs)
    return () => clearTimeout(timeout)
  },
}
