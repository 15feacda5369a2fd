import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'

interface Readable {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}

// How every event begins, including those of later versions.
const EVENT_START = /^\{"event":"[a-z_]{1,64}","ts":"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z","run_id":/
const LONGEST_START = 256

/** Throws if an open file is not one of our logs, so that we never append to another program's file. Empty files are fine. */
export async function assertOwnLog(file: string, handle: Readable): Promise<void> {
  const start = Buffer.alloc(LONGEST_START)
  const { bytesRead } = await handle.read(start, 0, LONGEST_START, 0)
  if (bytesRead === 0 || EVENT_START.test(start.toString('latin1', 0, bytesRead))) return
  throw notOurs(file, 'its first line is not an event')
}

/** The same for a file that is about to be moved or overwritten, if it exists. */
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
  return new Error(`${file} is not a Stint log: ${reason}. Move it away, or choose another file for the log`)
}
