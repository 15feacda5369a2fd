import { statSync } from 'node:fs'
import type { Database } from './database/index.ts'

// Other processes wait for each step: about 4 MB.
const PAGES_PER_STEP = 1_000
const MOST_STEPS = 1_000_000

/** The size of the ledger on disk, with its log. */
export function bytesOf({ file }: Database): number {
  return sizeOf(file) + sizeOf(`${file}-wal`)
}

/** The part of the file that holds something. */
export function usedBytes(database: Database): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}

/** Makes the file smaller, step by step. One from before Stint could do that keeps its size and uses the space again. */
export function giveSpaceBack(database: Database): void {
  const isIncremental = pragma(database, 'auto_vacuum') === 2
  for (let step = 0; isIncremental && step < MOST_STEPS; step++) {
    const free = pragma(database, 'freelist_count')
    if (free === 0) break
    // Each row that the statement returns frees a page: one that isn't read to its end frees only one.
    database.prepare(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`).all()
    if (pragma(database, 'freelist_count') >= free) break
  }
  // What was freed is in the log until it is moved to the file. Others may be reading: it is moved later then.
  if (database.journalMode === 'wal') database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
