import { close, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../../../../core/checks/thrown.ts'
import type { Clock } from '../../../../core/ports/clock-and-ids.ts'
import { StoreUnavailableError } from '../../../records/store-errors.ts'

const flush = promisify(fdatasync)

// Handing a sync to a thread and back costs as much CPU as three of the pages that it writes. A disk that is faster
// than this may block the process, as long as no other operation waits.
const SHORT_MS = 1

/** Makes commits durable without blocking the process, as SQLite would. */
export interface LogSync {
  /**
   * Resolves when everything that was committed before is on disk. After one failure it always fails. `isAlone`: no
   * other operation waits, so that a short sync may block the process.
   */
  sync(isAlone?: boolean): Promise<void>
  /** Idempotent, never throws. */
  close(): void
}

/**
 * For a ledger with a write-ahead log whose connection has `synchronous = NORMAL`: SQLite then appends to the log in
 * order and syncs it before it touches the ledger itself, so only the sync after a commit is missing. The log exists
 * while a connection is open, and SQLite has no locks on it that a second descriptor could lose.
 */
export function createLogSync(file: string, { monotonicMs }: Pick<Clock, 'monotonicMs'>): LogSync {
  const log = `${file}-wal`
  let descriptor: number | null = null
  let failure: StoreUnavailableError | null = null
  // How long the last sync took. The first one shows it.
  let lastMs = Number.POSITIVE_INFINITY

  return {
    async sync(isAlone = false) {
      if (failure !== null) throw failure
      try {
        descriptor ??= openSync(log, 'r+')
        const startedMs = monotonicMs()
        if (isAlone && lastMs <= SHORT_MS) fdatasyncSync(descriptor)
        else await flush(descriptor)
        lastMs = monotonicMs() - startedMs
      } catch (error) {
        // The operating system may drop what it couldn't write and report the next sync as a success.
        failure = new StoreUnavailableError(
          `${log} could not be written to the disk (${messageOf(error)}). Nothing more is accepted until the ledger is opened again.`,
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
