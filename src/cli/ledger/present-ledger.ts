import { StintError } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { isLedgerKnown } from '../open-store.ts'

/** The ledger's file, for commands that need an existing one; `null` for a ledger in memory. */
export function presentLedger(context: CommandContext): string | null {
  const { address } = context.config().store
  if (address.kind === 'memory') return null
  if (isLedgerKnown(address.file)) return address.file
  throw new StintError('unknown_scope', `There is no ledger at ${address.file}.`)
}
