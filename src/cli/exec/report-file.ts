import { randomUUID } from 'node:crypto'
import { accessSync, constants, lstatSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InvalidOptionError } from '../../core/index.ts'

const MOST_LINKS = 40

/** Refuses a file that cannot be written, before the run starts. */
export function assertReportFile(file: string, folder: string): string {
  const path = resolve(folder, file)
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) throw new Error('a folder, not a file')
    if (stats !== undefined) accessSync(path, constants.W_OK)
    if (isReplaced(path)) accessSync(dirname(targetOf(path)), constants.W_OK)
    return path
  } catch {
    throw new InvalidOptionError('--json', file, 'a file in a folder that exists and is writable')
  }
}

/** Writes the file atomically. A link stays a link, and a device or a pipe is written to, never replaced. */
export function writeReport(path: string, json: object): void {
  const text = `${JSON.stringify(json, null, 2)}\n`
  // /dev/stdout does not resolve to a path.
  if (!isReplaced(path)) {
    writeFileSync(path, text)
    return
  }
  const target = targetOf(path)
  // An unguessable name, and no links followed: others may be able to write to the folder.
  const draft = join(dirname(target), `.stint-${randomUUID()}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The target of a link, even if it does not exist yet. */
function targetOf(path: string): string {
  let target = path
  for (let links = 0; links < MOST_LINKS; links++) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target
    target = resolve(dirname(target), readlinkSync(target))
  }
  throw new Error('too many links')
}

function isReplaced(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== false
}
