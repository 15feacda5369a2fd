import { lstatSync, type Stats } from 'node:fs'
import { InvalidOptionError } from '../../core/index.ts'
import { makeFolder } from '../../system/index.ts'

/** Makes the folder of a task, where it is not there yet. Throws `InvalidOptionError` for one that leads elsewhere. */
export function makeTaskFolder(folder: string): void {
  refuseLink(folder)
  makeFolder(folder)
}

/** Throws where a link, or whatever else is no folder, stands in the place of a task. */
export function refuseLink(folder: string): void {
  const stats = statsOf(folder)
  if (stats === null || stats.isDirectory()) return
  throw new InvalidOptionError('The folder of the task', folder, 'a folder of its own, no link and no file')
}

/** `null`: nothing is there, or nobody can see it. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
