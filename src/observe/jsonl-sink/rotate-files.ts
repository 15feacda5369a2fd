import { lstat, open, rename, rm } from 'node:fs/promises'
import { codeOf } from '../../core/checks/thrown.ts'
import { assertOwnLogAt } from './own-log.ts'

// Renaming a few files never takes this long: the process that held the lock has died.
const STALE_LOCK_MS = 60_000

/**
 * Moves `file` to `file.1`, `file.1` to `file.2` and so on; the oldest of `keep` is overwritten. Processes that share a
 * file take turns; `false`: another process is rotating or has rotated it, so check again. Throws without moving
 * anything if one of the files is not one of our logs.
 */
export async function rotateFiles(file: string, keep: number, isFull: (size: number) => boolean): Promise<boolean> {
  const lock = `${file}.lock`
  if (!(await takeLock(lock))) return false
  try {
    const found = await lstat(file).catch(() => null)
    if (found === null || !isFull(found.size)) return false
    await assertOwnLogAt(file)
    for (let number = 1; number <= keep; number++) await assertOwnLogAt(`${file}.${number}`)
    for (let number = keep - 1; number >= 1; number--) await renameIfThere(`${file}.${number}`, `${file}.${number + 1}`)
    await rename(file, `${file}.1`)
    return true
  } finally {
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (await isStale(lock)) await rm(lock, { force: true })
    return false
  }
}

// Compared with the wall clock, as file times are. Our lock is empty; a `yarn.lock` is not.
async function isStale(lock: string): Promise<boolean> {
  try {
    const found = await lstat(lock)
    return found.isFile() && found.size === 0 && Date.now() - found.mtimeMs > STALE_LOCK_MS
  } catch {
    return false
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
