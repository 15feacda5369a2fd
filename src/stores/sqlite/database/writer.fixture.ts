// A process that writes notes: node writer.fixture.ts FILE DRIVER NAME LEAST WRITERS. It prints `ready`, opens the file
// when it reads a line, prints `open`, and writes after the next line: without a pause, until WRITERS writers have
// written at least LEAST notes.
import { once } from 'node:events'
import { createGroupCommit } from './commits/create-group-commit.ts'
import { createOthersActive } from './commits/others-active.ts'
import { isBusyError } from './drivers/sqlite-codes.ts'
import { APPLICATION_ID, drivers, MIGRATIONS, machineClock } from './notes.fixture.ts'
import { openDatabase } from './open-database.ts'
import { storeErrorFrom } from './store-error-from.ts'

const CALLERS = 32
const MOST_NOTES = 20_000
const [file = '', driverName = '', name = '', least = '0', writers = '1'] = process.argv.slice(2)
const driver = drivers.find((candidate) => candidate.name === driverName)

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID }, driver)
process.stdout.write('open\n')
await once(process.stdin, 'data')

const groupCommit = createGroupCommit({
  begin: database.beginWrite,
  beginRead: database.beginRead,
  commit: database.commit,
  rollback: database.rollback,
  isBusy: isBusyError,
  toError: (error) => storeErrorFrom(error, file),
  othersActive: createOthersActive(database, machineClock),
  clock: machineClock,
  random: Math.random,
  maxBatch: 8,
  deadlineMs: 60_000,
})

const insert = database.prepare('INSERT INTO notes (writer, number) VALUES (?, ?)')
const countDone = database.prepare(
  'SELECT count(*) AS writers FROM (SELECT 1 FROM notes GROUP BY writer HAVING count(*) >= ?)',
)
let written = 0
let isDone = false

async function writeNotes(): Promise<void> {
  while (!isDone && written < MOST_NOTES) {
    const number = written++
    await groupCommit.run(() => insert.run(name, number))
    if (number % Number(least) === 0) await look()
  }
}

async function look(): Promise<void> {
  const row = await groupCommit.run(() => countDone.get(Number(least)), { reads: true })
  isDone ||= Number(row?.writers) >= Number(writers)
}

await Promise.all(Array.from({ length: CALLERS }, writeNotes))
await groupCommit.close()
database.close()
process.stdout.write(`${JSON.stringify({ created: database.created, name, written })}\n`)
process.exit(0)
