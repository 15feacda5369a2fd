import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../system/index.ts'

/** As much of an open file as the sink needs. */
export interface LogFileHandle {
  stat(): Promise<{ readonly size: number; isFile(): boolean }>
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  write(buffer: Uint8Array): Promise<{ readonly bytesWritten: number }>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

/** Opens a log file for appending. The port behind which tests have their full disks. */
export type OpenLogFile = (file: string) => Promise<LogFileHandle>

// Read too, to see how the file ends. Never through a link, never waiting for a reader at the other end of a pipe.
const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens a file that only its owner can read, and makes its folder if it is not there. */
export const openLogFile: OpenLogFile = async (file) => {
  await refuseLink(file)
  try {
    return await open(file, FLAGS, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeFolder(dirname(file))
    return open(file, FLAGS, 0o600)
  }
}

// Says it better than the system does, and also where the flag is not known.
async function refuseLink(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found?.isSymbolicLink()) throw new Error('it is a symbolic link; name the file itself')
}
