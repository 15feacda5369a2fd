import type { LedgerFiles } from './ledger-files.ts'

/** Only commands that need SQLite or Postgres load it, so `--help` works on machines without them. */
export function createLedgerFiles(): LedgerFiles {
  return {
    async open(file, options) {
      const { createSqliteStore } = await import('../../stores/sqlite/index.ts')
      return createSqliteStore({ file, ...options })
    },
    async verify(ledger) {
      if (ledger.kind === 'sqlite') {
        const { verifyLedger } = await import('../../stores/sqlite/index.ts')
        return verifyLedger(ledger.file)
      }
      const { verifyLedger } = await import('../../stores/postgres/index.ts')
      return verifyLedger(ledger.url)
    },
    async describe(file) {
      const { describeLedger } = await import('../../stores/sqlite/index.ts')
      return describeLedger(file)
    },
    async prune(ledger, options) {
      if (ledger.kind === 'sqlite') {
        const { pruneLedger } = await import('../../stores/sqlite/index.ts')
        return pruneLedger(ledger.file, options)
      }
      const { pruneLedger } = await import('../../stores/postgres/index.ts')
      return pruneLedger(ledger.url, options)
    },
  }
}
