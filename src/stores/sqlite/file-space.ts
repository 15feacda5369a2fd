import { statSync } from 'node:fs'
import type { Database } from './database/index.ts'

// Other processes wait for each step: about 4 MB.
const PAGES_PER_STEP = 1_000
const MOST_STEPS = 1_000_000

/** The size of the ledger on disk, with its log. */
export function bytesOf({ file }: Database): number {
  return sizeOf(file) + sizeOf(`${file}-wal`)
}

/** The used part of the file. */
export function usedBytes(database: Database): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}

/** Shrinks the file, step by step. A file from before Stint supported that keeps its size and reuses the space. */
export function giveSpaceBack(database: Database): void {
  const isIncremental = pragma(database, 'auto_vacuum') === 2
  for (let step = 0; isIncremental && step < MOST_STEPS; step++) {
    const free = pragma(database, 'freelist_count')
    if (free === 0) break
    // Each row that the statement returns frees a page, so it must be read to the end.
    database.prepare(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`).all()
    if (pragma(database, 'freelist_count') >= free) break
  }
  // The freed pages are in the log until a checkpoint. If others are reading, that happens later.
  if (database.journalMode === 'wal') database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
