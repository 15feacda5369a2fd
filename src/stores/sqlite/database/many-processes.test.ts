import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from './drivers/database.ts'
import type { Driver } from './drivers/driver.ts'
import { checkIntegrity } from './file/check-integrity.ts'
import { ledgerFolder, openNotes } from './ledger-folder.fixture.ts'
import { drivers } from './notes.fixture.ts'

const WRITER = fileURLToPath(new URL('./writer.fixture.ts', import.meta.url))

interface WriterReport {
  readonly created: boolean
  readonly name: string
  /** How many notes were confirmed as durable. */
  readonly written: number
}

/** Starts this many writers at the same time. Each writes until all have written `least` notes, but at most 20,000. */
async function writeTogether(
  file: string,
  driver: Driver,
  writers: number,
  least: number,
): Promise<readonly WriterReport[]> {
  const names = Array.from({ length: writers }, (_, index) => `writer-${index}`)
  const processes = names.map((name) => startWriter([WRITER, file, driver.name, name, String(least), String(writers)]))
  for (let step = 0; step < 2; step++) {
    await Promise.all(processes.map(({ lines }) => lines.next()))
    for (const { child } of processes) child.stdin?.write('go\n')
  }
  return Promise.all(processes.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? '{}')))
}

function startWriter(args: readonly string[]): { child: ChildProcess; lines: AsyncIterator<string> } {
  const child = spawn(process.execPath, [...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

describe.each(drivers)('many processes on one file with $name', (driver) => {
  it('opening it for the first time together: one creates it, and all work', async () => {
    const file = join(ledgerFolder(), 'ledger.db')
    const reports = await writeTogether(file, driver, 8, 1)
    expect(reports.filter(({ created }) => created)).toHaveLength(1)
    const database = openNotes(file, driver)
    expectAllThere(database, reports)
    expect(checkIntegrity(database)).toEqual([])
    database.close()
    expect(readdirSync(dirname(file))).toEqual(['ledger.db'])
  })

  it('writing all the time: nothing is lost, and each makes progress', async () => {
    const file = join(ledgerFolder(), 'ledger.db')
    const reports = await writeTogether(file, driver, 4, 100)
    expectAllThere(openNotes(file, driver), reports)
    // A writer that was locked out would have fewer by the time the others reach their 20,000.
    for (const { name, written } of reports) expect(written, name).toBeGreaterThanOrEqual(100)
  })
})

/** Every note that was confirmed as durable is there, once, and no other. */
function expectAllThere(database: Database, reports: readonly WriterReport[]): void {
  const select = database.prepare('SELECT number FROM notes WHERE writer = ? ORDER BY number')
  for (const { name, written } of reports) {
    const numbers = select.all(name).map(({ number }) => number)
    expect(numbers, name).toEqual(Array.from({ length: written }, (_, number) => number))
  }
}
