import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBusyError } from './drivers/sqlite-codes.ts'
import { checkIntegrity } from './file/check-integrity.ts'
import { errorOf, ledgerFolder, openNotes } from './ledger-folder.fixture.ts'
import { APPLICATION_ID, drivers, libsqlDriver, MIGRATIONS, nodeDriver } from './notes.fixture.ts'

describe.each(drivers)('a ledger file with $name', (driver) => {
  it('is created completely, for its owner only, and is sound', () => {
    const folder = ledgerFolder()
    const database = openNotes(join(folder, 'ledger.db'), driver)
    expect(database.created).toBe(true)
    expect(statSync(database.file).mode & 0o777).toBe(0o600)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    expect(checkIntegrity(database)).toEqual([])
    database.close()
    expect(readdirSync(folder)).toEqual(['ledger.db'])
  })

  it('keeps what was written, and is not created a second time', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    const first = openNotes(file, driver)
    first.prepare('INSERT INTO notes (writer, number) VALUES (?, ?)').run('ann', 7)
    first.close()
    const second = openNotes(file, driver)
    expect(second.created).toBe(false)
    expect(second.prepare('SELECT writer, number FROM notes').all()).toEqual([{ writer: 'ann', number: 7 }])
  })

  it('returns every value exactly as it was', () => {
    const database = openNotes(join(ledgerFolder(), 'ledger.db'), driver)
    const insert = database.prepare('INSERT INTO notes (writer, number, bytes) VALUES (?, ?, ?)')
    const rows = [
      { writer: 'ünïcode 🦊', number: 2 ** 31, bytes: new Uint8Array([0, 255]) },
      { writer: '', number: Number.MAX_SAFE_INTEGER, bytes: null },
      { writer: 'x', number: -Number.MAX_SAFE_INTEGER, bytes: new Uint8Array() },
    ]
    for (const { writer, number, bytes } of rows) expect(insert.run(writer, number, bytes)).toEqual({ changes: 1 })
    expect(database.prepare('SELECT writer, number, bytes FROM notes ORDER BY id').all()).toEqual(rows)
    const get = database.prepare('SELECT number FROM notes WHERE number = ?')
    expect(get.get(2 ** 31)).toEqual({ number: 2 ** 31 })
    expect(get.get(3)).toBeUndefined()
    expect(database.prepare('SELECT typeof(?) AS type').get(5)).toEqual({ type: 'integer' })
    expect(database.prepare('SELECT typeof(?) AS type').get(null)).toEqual({ type: 'null' })
    expect(database.prepare('SELECT typeof(?) AS type').get(new Uint8Array([1]))).toEqual({ type: 'blob' })
  })

  it('refuses to read a number too large to be exact', () => {
    const database = openNotes(join(ledgerFolder(), 'ledger.db'), driver)
    expect(() => database.prepare('SELECT 9007199254740993 AS number').get()).toThrow(/too large/)
  })

  it.each([[[1.5]], [[Number.NaN]], [[true]], [[undefined]], [[2 ** 53]], [[]], [[1, 2]]])(
    'refuses the parameters %j before SQLite sees them',
    (parameters) => {
      const database = openNotes(join(ledgerFolder(), 'ledger.db'), driver)
      const statement = database.prepare("INSERT INTO notes (writer, number) VALUES ('ann', ?)")
      expect(() => statement.run(...(parameters as number[]))).toThrow(TypeError)
      expect(database.prepare('SELECT count(*) AS notes FROM notes').get()).toEqual({ notes: 0 })
    },
  )

  it('is durable at every commit, and enforces references', () => {
    const database = openNotes(join(ledgerFolder(), 'ledger.db'), driver)
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 })
    expect(() => database.exec('INSERT INTO replies VALUES (99)')).toThrow('FOREIGN KEY')
  })

  it('reports immediately that another connection has the lock', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    const [one, other] = [openNotes(file, driver), openNotes(file, driver)]
    one.exec('BEGIN IMMEDIATE')
    const error = errorOf(() => other.exec('BEGIN IMMEDIATE'))
    expect(isBusyError(error)).toBe(true)
    one.exec('ROLLBACK')
    other.exec('BEGIN IMMEDIATE; ROLLBACK')
  })

  it('opened twice in one process keeps its lock against other processes', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    const first = openNotes(file, driver)
    first.exec('BEGIN IMMEDIATE')
    openNotes(file, driver, { readOnly: true }).close()
    const program =
      'const { DatabaseSync } = require("node:sqlite"); const other = new DatabaseSync(process.argv[1]);' +
      'try { other.exec("BEGIN IMMEDIATE"); console.log("free") } catch (error) { console.log(error.errcode) }'
    const { stdout } = spawnSync(process.execPath, ['-e', program, file], { encoding: 'utf8' })
    expect(stdout.trim()).toBe('5')
    first.exec('ROLLBACK')
  })

  it('migrates an older schema, once and in order', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    openNotes(file, driver, { migrations: MIGRATIONS.slice(0, 1) }).close()
    expect(openNotes(file, driver).prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    const indexes = "SELECT count(*) AS indexes FROM sqlite_schema WHERE name = 'notes_by_writer'"
    expect(openNotes(file, driver).prepare(indexes).get()).toEqual({ indexes: 1 })
  })

  it('keeps its schema whole when a migration fails', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    openNotes(file, driver).close()
    const migrations = [...MIGRATIONS, 'CREATE TABLE half (x TEXT) STRICT', 'CREATE TABLE notes (x TEXT) STRICT']
    expect(() => openNotes(file, driver, { migrations })).toThrow('already exists')
    const database = openNotes(file, driver)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([])
  })

  it('refuses a newer schema, and names the file and both versions', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    openNotes(file, driver).close()
    const error = errorOf(() => openNotes(file, driver, { migrations: MIGRATIONS.slice(0, 1) }))
    expect(error).toMatchObject({ code: 'ledger_newer', file, retryable: false })
    expect((error as Error).message).toMatch(
      `The ledger ${file} has the schema 2 of a newer Stint; this one supports schemas up to 1.`,
    )
  })

  it('opened read-only is not written, created or migrated', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    expect(errorOf(() => openNotes(file, driver, { readOnly: true }))).toMatchObject({ code: 'ledger_missing' })
    openNotes(file, driver, { migrations: MIGRATIONS.slice(0, 1) }).close()
    expect(errorOf(() => openNotes(file, driver, { readOnly: true }))).toMatchObject({ code: 'ledger_read_only' })
    openNotes(file, driver).close()
    const database = openNotes(file, driver, { readOnly: true })
    expect(database.prepare('SELECT count(*) AS notes FROM notes').get()).toEqual({ notes: 0 })
    expect(() => database.exec("INSERT INTO notes (writer, number) VALUES ('ann', 1)")).toThrow(/readonly/)
  })

  it('has one real name, even through a link, and may have an odd one', () => {
    const folder = ledgerFolder()
    const file = join(folder, 'a?b#c%20 é.db')
    const made = openNotes(file, driver)
    expect(made.file).toBe(file)
    symlinkSync(file, join(folder, 'link.db'))
    expect(openNotes(join(folder, 'link.db'), driver)).toMatchObject({ file, created: false })
  })

  it('creates its folder only on request, for its owner only', () => {
    const file = join(ledgerFolder(), 'home', 'stint', 'ledger.db')
    expect(errorOf(() => openNotes(file, driver))).toMatchObject({ code: 'ledger_inaccessible', file })
    const database = openNotes(file, driver, { createFolder: true })
    expect(statSync(join(database.file, '..')).mode & 0o777).toBe(0o700)
  })
})

describe('the journal mode', () => {
  it('is determined by the library that creates the file', () => {
    const folder = ledgerFolder()
    expect(openNotes(join(folder, 'new.db'), nodeDriver).journalMode).toBe('wal')
    expect(openNotes(join(folder, 'old.db'), libsqlDriver).journalMode).toBe('rollback')
    openNotes(join(folder, 'old.db'), nodeDriver)
    expect(openNotes(join(folder, 'old.db'), nodeDriver).journalMode).toBe('rollback')
  })

  it('makes an older library refuse a write-ahead log, and says which Node to use', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    openNotes(file, nodeDriver).close()
    const error = errorOf(() => openNotes(file, libsqlDriver))
    expect(error).toMatchObject({ code: 'ledger_needs_newer_sqlite', file })
    expect((error as Error).message).toMatch(
      /3\.45\.1.*Use a Node whose SQLite is 3\.51\.3 or newer, e\.g\. Node 24\.21\./,
    )
  })

  it('makes an older library refuse a log that was enabled manually, too', () => {
    const file = join(ledgerFolder(), 'ledger.db')
    openNotes(file, libsqlDriver).close()
    const database = openNotes(file, nodeDriver)
    database.exec('PRAGMA journal_mode = WAL')
    database.close()
    expect(errorOf(() => openNotes(file, libsqlDriver))).toMatchObject({ code: 'ledger_needs_newer_sqlite' })
  })
})

describe('the options', () => {
  it.each([
    [{ file: '' }, 'file'],
    [{ file: 'a\0b' }, 'file'],
    [{ applicationId: 3 }, 'applicationId'],
    [{ applicationId: 0 }, 'applicationId'],
    [{ busyMs: -1 }, 'busyMs'],
  ])('%j are refused', (options, place) => {
    const all = { applicationId: APPLICATION_ID, ...options }
    expect(errorOf(() => openNotes(join(ledgerFolder(), 'ledger.db'), nodeDriver, all))).toMatchObject({
      code: 'invalid_option',
      place,
    })
  })
})
