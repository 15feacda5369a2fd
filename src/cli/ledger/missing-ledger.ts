import { StintError } from '../../core/index.ts'

/** For what can only be done to a ledger that is there. */
export function missingLedger(file: string): StintError {
  return new StintError('unknown_scope', `There is no ledger at ${file}: nothing was ever written there.`)
}
