import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Driver } from './drivers/driver.ts'
import { isCorruptError, isFullError } from './drivers/sqlite-codes.ts'
import { checkIntegrity } from './file/check-integrity.ts'
import { highWaterFileOf } from './file/high-water-file.ts'
import { errorOf, ledgerFolder, openNotes, photograph } from './ledger-folder.fixture.ts'
import { drivers } from './notes.fixture.ts'
import { storeErrorFrom } from './store-error-from.ts'

const ROWS = 500

/** A ledger of several pages, with its companion file, as a process left it. */
function usedLedger(driver: Driver): { folder: string; file: string } {
  const folder = ledgerFolder()
  const database = openNotes(join(folder, 'ledger.db'), driver)
  const insert = database.prepare('INSERT INTO notes (writer, number) VALUES (?, ?)')
  database.exec('BEGIN')
  for (let number = 0; number < ROWS; number++) insert.run('ann'.repeat(10), number)
  database.exec('COMMIT')
  database.close()
  writeFileSync(highWaterFileOf(database.file), 'there was a ledger here\n')
  return { folder, file: database.file }
}

const rewritten = (change: (bytes: Buffer) => Buffer) => (file: string) =>
  writeFileSync(file, change(readFileSync(file)))
const sizeOf = (file: string) => statSync(file).size

const damages: readonly (readonly [what: string, code: string, says: RegExp, damage: (file: string) => void])[] = [
  ['that is gone', 'ledger_missing', /is missing, but .*high-water shows that it existed/, (file) => rmSync(file)],
  ['that is empty', 'ledger_damaged', /is empty/, (file) => truncateSync(file, 0)],
  ['cut to a few bytes', 'ledger_foreign', /is not a SQLite database/, (file) => truncateSync(file, 10)],
  ['cut to its header', 'ledger_damaged', /malformed/, (file) => truncateSync(file, 100)],
  ['cut to its first page', 'ledger_damaged', /malformed/, (file) => truncateSync(file, 4096)],
  ['without its last page', 'ledger_damaged', /malformed/, (file) => truncateSync(file, sizeOf(file) - 4096)],
  ['without its last byte', 'ledger_damaged', /is truncated/, (file) => truncateSync(file, sizeOf(file) - 1)],
  ['that is text', 'ledger_foreign', /is not a SQLite database/, (file) => writeFileSync(file, 'hello\n'.repeat(2000))],
  [
    'of another program',
    'ledger_foreign',
    /another program \(its application id is 7\)/,
    rewritten((bytes) => bytes.fill(7, 71, 72).fill(0, 68, 71)),
  ],
  ['with a broken schema', 'ledger_damaged', /damaged/, rewritten((bytes) => bytes.fill(0xff, 100, 110))],
  ['that is read-only', 'ledger_read_only', /is read-only/, (file) => chmodSync(file, 0o444)],
  ['in a read-only folder', 'ledger_read_only', /in a read-only folder/, (file) => chmodSync(join(file, '..'), 0o555)],
  [
    'with a folder in its place',
    'ledger_inaccessible',
    /is a folder/,
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
  ],
  [
    'that is a link to itself',
    'ledger_inaccessible',
    /ELOOP/,
    (file) => {
      rmSync(file)
      symlinkSync(file, file)
    },
  ],
  [
    'that is a link to nothing',
    'ledger_missing',
    /is a link to a missing file/,
    (file) => {
      rmSync(file)
      symlinkSync(`${file}.gone`, file)
    },
  ],
]

describe.each(drivers)('I6: a ledger with $name', (driver) => {
  it.each(damages)('%s: %s names the file, and nothing is changed', (_, code, says, damage) => {
    const { folder, file } = usedLedger(driver)
    damage(file)
    const before = photograph(folder)
    const error = errorOf(() => openNotes(file, driver))
    expect(error).toMatchObject({ code, file, retryable: false })
    expect(error.message).toContain(file)
    expect(error.message).toMatch(says)
    expect(photograph(folder)).toEqual(before)
    chmodSync(folder, 0o700)
  })

  it('in a folder that is a file: ledger_inaccessible', () => {
    const folder = ledgerFolder()
    writeFileSync(join(folder, 'home'), '')
    const file = join(folder, 'home', 'ledger.db')
    for (const createFolder of [false, true]) {
      expect(errorOf(() => openNotes(file, driver, { createFolder }))).toMatchObject({
        code: 'ledger_inaccessible',
        file,
      })
    }
  })

  it('with an impossible file name: ledger_inaccessible', () => {
    const file = join(ledgerFolder(), 'x'.repeat(300))
    expect(errorOf(() => openNotes(file, driver))).toMatchObject({ code: 'ledger_inaccessible', file })
  })

  it('that cannot be created because the disk is full: store_unavailable, and nothing is left behind', () => {
    const folder = ledgerFolder()
    const fullDisk = withFailingExec(driver, /CREATE TABLE/, { errcode: 13 })
    const error = errorOf(() => openNotes(join(folder, 'ledger.db'), fullDisk))
    expect(error).toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(error.message).toMatch(/The disk with the ledger .*ledger\.db is full\./)
    expect(photograph(folder)).toEqual([])
  })

  it('whose disk fills up says so, and loses nothing', () => {
    const { file } = usedLedger(driver)
    const database = openNotes(file, driver)
    database.exec('PRAGMA max_page_count = 1')
    const insert = database.prepare('INSERT INTO notes (writer, number) VALUES (?, ?)')
    const error = errorOf(() => {
      for (let number = 0; number < 10_000; number++) insert.run('ann'.repeat(100), number)
    })
    expect(isFullError(error)).toBe(true)
    expect(storeErrorFrom(error, file)).toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(checkIntegrity(database)).toEqual([])
  })

  it('with a damaged page opens, and the full check finds it', () => {
    const { file } = usedLedger(driver)
    rewritten((bytes) => bytes.fill(0x5a, 2 * 4096, 3 * 4096))(file)
    const database = openNotes(file, driver)
    expect(checkIntegrity(database).length).toBeGreaterThan(0)
    const error = errorOf(() => database.prepare('SELECT sum(number) AS sum, max(writer) AS last FROM notes').all())
    expect(isCorruptError(error)).toBe(true)
    expect(storeErrorFrom(error, file)).toMatchObject({ code: 'ledger_damaged', file })
  })

  it('with a dangling reference: the full check names the row', () => {
    const { file } = usedLedger(driver)
    const database = openNotes(file, driver)
    database.exec('PRAGMA foreign_keys = OFF; INSERT INTO replies VALUES (99999)')
    expect(checkIntegrity(database)).toEqual(['row 1 of replies refers to a row of notes that does not exist'])
  })
})

describe('an error unrelated to storage', () => {
  it('keeps its own meaning', () => {
    const database = openNotes(join(ledgerFolder(), 'ledger.db'))
    for (const error of [new TypeError('x'), errorOf(() => database.exec('SELECT nothing'))]) {
      expect(storeErrorFrom(error, 'x')).toBe(error)
    }
  })
})

/** A library on which one kind of statement fails. */
function withFailingExec(driver: Driver, statement: RegExp, failure: object): Driver {
  return {
    ...driver,
    connect(address) {
      const connection = driver.connect(address)
      const exec = (sql: string) => {
        if (statement.test(sql)) throw Object.assign(new Error('it fails'), failure)
        connection.exec(sql)
      }
      return { ...connection, exec }
    },
  }
}
