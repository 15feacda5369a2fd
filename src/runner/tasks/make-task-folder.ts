import { lstatSync, type Stats } from 'node:fs'
import { InvalidOptionError } from '../../core/index.ts'
import { makeFolder } from '../../system/index.ts'

/** Creates the folder of a task if needed. Throws `InvalidOptionError` if it is a link. */
export function makeTaskFolder(folder: string): void {
  refuseLink(folder)
  makeFolder(folder)
}

/** Throws if the folder of a task is a link or anything else but a folder. */
export function refuseLink(folder: string): void {
  const stats = statsOf(folder)
  if (stats === null || stats.isDirectory()) return
  throw new InvalidOptionError('The folder of the task', folder, 'a folder, not a link or a file')
}

/** `null`: it doesn't exist, or cannot be read. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
