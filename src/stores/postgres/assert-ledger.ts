import { StintError } from '../../core/index.ts'
import type { Session } from './database/connections.ts'
import { LedgerVersionError } from './database/ledger-version-error.ts'
import { versionOf } from './database/migrate.ts'
import { MIGRATIONS } from './schema.ts'

/** Throws if there is no ledger that this Stint can read. */
export async function assertLedger(session: Session, place: string): Promise<void> {
  const version = await versionOf(session)
  if (version === 0) {
    throw new StintError(
      'ledger_missing',
      `There is no ledger in the database at ${place}. Correct the address or its schema=NAME; a command that spends creates one.`,
    )
  }
  if (version > MIGRATIONS.length) throw new LedgerVersionError(version, MIGRATIONS.length)
  if (version < MIGRATIONS.length) {
    throw new StintError(
      'store_unavailable',
      `The ledger at ${place} is of an earlier Stint (schema ${version} of ${MIGRATIONS.length}). Run \`stint status\` as its owner once: that migrates it.`,
    )
  }
}
