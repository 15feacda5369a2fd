import { ADAPTER_MUTANTS } from './adapter-mutants.ts'
import { ALERT_MUTANTS } from './alert-mutants.ts'
import { CLI_MUTANTS } from './cli-mutants.ts'
import { CORE_MUTANTS } from './core-mutants.ts'
import { GATEWAY_MUTANTS } from './gateway-mutants.ts'
import { GOVERNOR_MUTANTS } from './governor-mutants.ts'
import { HISTORY_MUTANTS } from './history-mutants.ts'
import { LEDGER_MUTANTS } from './ledger-mutants.ts'
import { LOOP_MUTANTS } from './loop-mutants.ts'
import type { Mutant } from './mutant.ts'
import { POLICY_MUTANTS } from './policy-mutants.ts'
import { POSTGRES_MUTANTS } from './postgres-mutants.ts'
import { PRICING_MUTANTS } from './pricing-mutants.ts'
import { SQLITE_MUTANTS } from './sqlite-mutants.ts'

/** Every planted bug. Each must be caught. */
export const MUTANTS: readonly Mutant[] = [
  ...CLI_MUTANTS,
  ...CORE_MUTANTS,
  ...LEDGER_MUTANTS,
  ...HISTORY_MUTANTS,
  ...ALERT_MUTANTS,
  ...GOVERNOR_MUTANTS,
  ...SQLITE_MUTANTS,
  ...POSTGRES_MUTANTS,
  ...POLICY_MUTANTS,
  ...PRICING_MUTANTS,
  ...LOOP_MUTANTS,
  ...ADAPTER_MUTANTS,
  ...GATEWAY_MUTANTS,
]
