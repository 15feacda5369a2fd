import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from './drivers/database.ts'
import type { Driver } from './drivers/driver.ts'
import { APPLICATION_ID, MIGRATIONS } from './notes.fixture.ts'
import { type OpenDatabaseOptions, openDatabase } from './open-database.ts'

/** A folder for one test, removed when the test ends. */
export function ledgerFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-sqlite-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a ledger with the notes above; closed when the test ends. */
export function openNotes(file: string, driver?: Driver, options: Partial<OpenDatabaseOptions> = {}): Database {
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, ...options }, driver)
  onTestFinished(() => database.close())
  return database
}

/** Every file of a folder with everything that an attempt to open it could change. */
export function photograph(folder: string): readonly unknown[] {
  return readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isFile()) return [entry.name]
    const { mode, mtimeMs } = statSync(path)
    return [entry.name, mode, mtimeMs, readFileSync(path).toString('base64')]
  })
}

/** What an action throws. */
export function errorOf(action: () => unknown): Error {
  try {
    action()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not throw.')
}
