import type { LedgerFiles } from './ledger-files.ts'

/** The ledgers on disk. Only commands that need SQLite load it, so `--help` works on machines without it. */
export function createSqliteLedgerFiles(): LedgerFiles {
  return {
    async open(file, { createFolder }) {
      const { createSqliteStore } = await import('../../stores/sqlite/index.ts')
      return createSqliteStore({ file, createFolder })
    },
    async verify(file) {
      const { verifyLedger } = await import('../../stores/sqlite/index.ts')
      return verifyLedger(file)
    },
    async describe(file) {
      const { describeLedger } = await import('../../stores/sqlite/index.ts')
      return describeLedger(file)
    },
    async prune(file, options) {
      const { pruneLedger } = await import('../../stores/sqlite/index.ts')
      return pruneLedger(file, options)
    },
  }
}
