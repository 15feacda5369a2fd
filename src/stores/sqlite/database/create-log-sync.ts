import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { StoreUnavailableError } from './store-errors.ts'

const flush = promisify(fdatasync)

/** Makes commits durable beside the work of the process, which would stand still if SQLite did it. */
export interface LogSync {
  /** Resolves when everything that was committed before is on the disk. Once it has failed, it fails for good. */
  sync(): Promise<void>
  /** Idempotent, never throws. */
  close(): void
}

/**
 * For a ledger with a write-ahead log whose connection has `synchronous = NORMAL`: SQLite then appends to the log in
 * order and syncs it before it touches the ledger itself, and all that is missing is the sync after a commit. The log
 * stays while a connection is open, and SQLite has no locks on it that a second descriptor could lose.
 */
export function createLogSync(file: string): LogSync {
  const log = `${file}-wal`
  let descriptor: number | null = null
  let failure: StoreUnavailableError | null = null

  return {
    async sync() {
      if (failure !== null) throw failure
      try {
        descriptor ??= openSync(log, 'r+')
        await flush(descriptor)
      } catch (error) {
        // The system may forget what it could not write, and call the next sync a success.
        failure = new StoreUnavailableError(
          `${log} could not be written to the disk (${(error as Error).message}). Nothing more is accepted until the ledger is opened anew.`,
          error,
        )
        throw failure
      }
    },
    close() {
      if (descriptor !== null) close(descriptor, () => {})
      descriptor = null
    },
  }
}
