import { storeText } from '../../config/store-address.ts'
import { StintError } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { isLedgerKnown } from '../open-store.ts'
import type { KeptLedger } from './ledger-files.ts'

/** The ledger, for commands that need an existing one; `null` for one in memory. A database says itself if it has none. */
export function presentLedger(context: CommandContext): KeptLedger | null {
  const { address } = context.config().store
  if (address.kind === 'memory') return null
  if (address.kind === 'postgres' || isLedgerKnown(address.file)) return address
  throw new StintError('unknown_scope', `There is no ledger at ${address.file}.`)
}

/** Where a ledger is: the file, or the address of the database without its password. */
export function ledgerPlace(ledger: KeptLedger | null): { readonly file: string | null; readonly store: string } {
  const store = storeText(ledger ?? { kind: 'memory' })
  return { file: ledger?.kind === 'sqlite' ? ledger.file : null, store }
}

/** The same for people. */
export function ledgerText(ledger: KeptLedger): string {
  return ledger.kind === 'sqlite' ? ledger.file : storeText(ledger)
}
