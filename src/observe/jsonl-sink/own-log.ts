import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'

interface Readable {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}

// How every event begins, whatever its name: those of later versions too.
const EVENT_START = /^\{"event":"[a-z_]{1,64}","ts":"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z","run_id":/
const LONGEST_START = 256

/** Throws if an open file is not a log of ours, so that nothing is appended to a file of another program. An empty file is fine. */
export async function assertOwnLog(file: string, handle: Readable): Promise<void> {
  const start = Buffer.alloc(LONGEST_START)
  const { bytesRead } = await handle.read(start, 0, LONGEST_START, 0)
  if (bytesRead === 0 || EVENT_START.test(start.toString('latin1', 0, bytesRead))) return
  throw notOurs(file, 'its first line is not one of its events')
}

/** The same for a file that would be moved or overwritten, if there is one. */
export async function assertOwnLogAt(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found === null) return
  if (!found.isFile()) throw notOurs(file, 'it is not a plain file')
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    await assertOwnLog(file, handle)
  } finally {
    await handle.close()
  }
}

function notOurs(file: string, reason: string): Error {
  return new Error(`${file} is not a log of Stint: ${reason}. Move it away, or name another file for the log`)
}
