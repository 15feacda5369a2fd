import { statSync } from 'node:fs'
import { type LedgerFileError, replacedLedger } from './ledger-file-error.ts'
import { StoreUnavailableError } from './store-errors.ts'

/** Knows which files a connection has open, and whether others who open the ledger get the same. */
export interface FileGuard {
  /** Throws `ledger_replaced` once a file is another or gone, and from then on for good. */
  assertInPlace(): void
  /** From now on these belong to the ledger, too. One that is not there belongs to it as soon as it is. */
  include(files: readonly string[]): void
}

/**
 * Guards the ledger in `file`: a connection keeps what it has opened, also when the file was removed, or another was
 * put in its place, and would go on granting from a ledger that no one else sees. `names` are the other names that it
 * was opened by.
 */
export function createFileGuard(file: string, names: readonly string[]): FileGuard {
  const guarded = [...new Set([file, ...names])].map((path) => ({ path, identity: identityOf(path, file) }))
  let replaced: LedgerFileError | null = null
  return {
    assertInPlace() {
      if (replaced !== null) throw replaced
      // By index: it runs twice for every transaction.
      for (let index = 0; index < guarded.length; index++) {
        const known = guarded[index]!
        const identity = identityOf(known.path, file)
        known.identity ??= identity
        if (identity === known.identity) continue
        replaced = replacedLedger(file, known.path, identity === null ? 'removed' : 'replaced by another file')
        throw replaced
      }
    },
    include(files) {
      for (const path of files) guarded.push({ path, identity: identityOf(path, file) })
    },
  }
}

/** The same for the same file, under whichever name; `null` where there is none. */
function identityOf(path: string, file: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`
  } catch (error) {
    // ENOTDIR: a folder on its way has become a file.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null
    throw new StoreUnavailableError(`The ledger ${file} cannot be looked at (${(error as Error).message}).`, error)
  }
}
