import { randomUUID } from 'node:crypto'
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

// What an agent was told and found is its owner's alone.
const OWNER_ONLY = 0o600

/** Replaces a file as a whole: whoever reads it sees the old one or the new one, also after a crash in the middle. */
export function writeWhole(file: string, text: string): void {
  withTemporary(file, text, (next) => renameSync(next, file))
}

/** The same for a file that is not there: of several who try, one writes it. `false`: it was there already. */
export function writeFirst(file: string, text: string): boolean {
  try {
    withTemporary(file, text, (next) => linkSync(next, file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function withTemporary(file: string, text: string, put: (next: string) => void): void {
  const next = `${file}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`
  try {
    writeFileSync(next, text, { mode: OWNER_ONLY, flag: 'wx', flush: true })
    put(next)
  } finally {
    rmSync(next, { force: true })
  }
}
