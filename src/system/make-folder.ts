import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../core/checks/thrown.ts'

/**
 * Creates a folder and its parents, for this user only. One by one, since Node's recursive `mkdir` never returns on a
 * file system such as /proc, which reports ENOENT although the parent exists.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.push(at)
  for (const each of missing.toReversed()) makeOne(each)
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
