import { CORE_MUTANTS } from './core-mutants.ts'
import { GOVERNOR_MUTANTS } from './governor-mutants.ts'
import { LEDGER_MUTANTS } from './ledger-mutants.ts'
import type { Mutant } from './mutant.ts'
import { SQLITE_MUTANTS } from './sqlite-mutants.ts'

/** Every planted bug. Each must be caught. */
export const MUTANTS: readonly Mutant[] = [...CORE_MUTANTS, ...LEDGER_MUTANTS, ...GOVERNOR_MUTANTS, ...SQLITE_MUTANTS]
