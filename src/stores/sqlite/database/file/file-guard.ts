import { statSync } from 'node:fs'
import { codeOf, messageOf } from '../../../../core/checks/thrown.ts'
import { StoreUnavailableError } from '../../../records/store-errors.ts'
import { type LedgerFileError, replacedLedger } from './ledger-file-error.ts'

/** Knows which files a connection has open, and whether other processes that open the ledger get the same ones. */
export interface FileGuard {
  /** Throws `ledger_replaced` once a file was replaced or removed, and keeps throwing. */
  assertInPlace(): void
  /** Guards these files as well. A missing one is guarded as soon as it exists. */
  include(files: readonly string[]): void
}

/**
 * Guards the ledger in `file`. A connection keeps its open file even if that was removed or replaced, and would
 * continue granting from a ledger that no other process sees. `names` are the other names it was opened by.
 */
export function createFileGuard(file: string, names: readonly string[]): FileGuard {
  const guarded = [...new Set([file, ...names])].map((path) => ({ path, identity: identityOf(path, file) }))
  let replaced: LedgerFileError | null = null
  return {
    assertInPlace() {
      if (replaced !== null) throw replaced
      // By index: it runs twice per transaction.
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

/** The same for the same file under any name; `null` if there is none. */
function identityOf(path: string, file: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`
  } catch (error) {
    // ENOTDIR: a folder on its path has become a file.
    if (codeOf(error) === 'ENOTDIR') return null
    throw new StoreUnavailableError(`The ledger ${file} cannot be checked (${messageOf(error)}).`, error)
  }
}
