import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../../core/checks/thrown.ts'
import { makeFolder } from '../../system/index.ts'

/** The part of a file handle that the sink needs. */
export interface LogFileHandle {
  stat(): Promise<{ readonly size: number; isFile(): boolean }>
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  write(buffer: Uint8Array): Promise<{ readonly bytesWritten: number }>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

/** Opens a log file for appending. Tests replace it to simulate full disks. */
export type OpenLogFile = (file: string) => Promise<LogFileHandle>

// Readable, to see how the file ends. Never follows a link, never blocks on a pipe.
const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens a file that only its owner can read, and creates its folder if needed. */
export const openLogFile: OpenLogFile = async (file) => {
  await refuseLink(file)
  try {
    return await open(file, FLAGS, 0o600)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    makeFolder(dirname(file))
    return open(file, FLAGS, 0o600)
  }
}

// A clearer message than the system's, and also for platforms without the flag.
async function refuseLink(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found?.isSymbolicLink()) throw new Error('it is a symbolic link; name the file itself')
}
