import { randomUUID } from 'node:crypto'
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { codeOf } from '../core/checks/thrown.ts'

// Prompts and results are private.
const OWNER_ONLY = 0o600

/** Replaces a file atomically: readers see either the old one or the new one, even after a crash. */
export function writeWhole(file: string, text: string): void {
  withTemporary(file, text, (next) => renameSync(next, file))
}

/** Creates a file atomically. `false`: it already exists. */
export function writeFirst(file: string, text: string): boolean {
  try {
    withTemporary(file, text, (next) => linkSync(next, file))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
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
