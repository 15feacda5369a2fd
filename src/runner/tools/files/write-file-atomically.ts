import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../../../core/checks/thrown.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Place } from './fence.ts'
import { kindOf } from './open-regular-file.ts'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const PERMISSIONS = 0o7777

/**
 * Replaces a file atomically. Hard links to the old file keep the old text, so that they cannot be used to write
 * elsewhere. Synchronous, so that concurrent calls are serialized. Returns whether the file existed.
 */
export function writeFileAtomically(place: Place, content: string | Uint8Array): boolean {
  const folder = dirname(place.path)
  const before = lstatSync(place.path, { throwIfNoEntry: false })
  if (before !== undefined && !before.isFile()) {
    throw new ToolFailure(`${place.shown} is ${kindOf(before)}, not a file. Use another path.`)
  }
  const temporary = join(folder, `.stint-${randomBytes(8).toString('hex')}.tmp`)
  try {
    mkdirSync(folder, { recursive: true })
    const descriptor = openSync(temporary, NEW_FILE, 0o666)
    try {
      writeFileSync(descriptor, content)
      if (before !== undefined) fchmodSync(descriptor, before.mode & PERMISSIONS)
    } finally {
      closeSync(descriptor)
    }
    // A parent folder may have been replaced by a link since the path was checked.
    if (realpathSync.native(folder) !== folder) throw new ToolFailure(`${place.shown} has been moved. Try again.`)
    renameSync(temporary, place.path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw asFailure(place, error)
  }
  return before !== undefined
}

function asFailure({ shown }: Place, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error
  const code = codeOf(error)
  return new ToolFailure(`${shown} cannot be written (${code}). Nothing was changed.`, error)
}
