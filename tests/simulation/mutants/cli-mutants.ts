import type { Mutant } from './mutant.ts'

/** Bugs in what is believed of a project's files. The simulation reads no files, so tests catch these. */
export const CLI_MUTANTS: readonly Mutant[] = [
  {
    name: 'the prices of a config that is merely found are used',
    in: 'trustedPart',
    find: 'const isBelieved = trust.accepts(claim)',
    replace: "const isBelieved = trust.accepts(claim) || path[0] === 'prices'",
    caughtBy: 'src/config/read-config-file.test.ts',
  },
  {
    name: 'a config that is merely found raises limits',
    in: 'trustedLimits',
    find: 'trust.accepts(claimOf(statement, place))',
    replace: 'trust.accepts(claimOf(statement, place)) || true',
    caughtBy: 'src/config/read-config-file.test.ts',
  },
  {
    name: 'a trusted limit may be raised without asking again',
    in: 'covers',
    find: 'fact.bound.max === null || (max !== null && max <= fact.bound.max)',
    replace: 'fact.bound.max === null || (max !== null && max <= 2 * fact.bound.max)',
    caughtBy: 'src/agents/trust.test.ts',
  },
  {
    name: 'an agent of an untrusted project has the limits of any role that it names',
    in: 'restrainDraft',
    find: 'preset: isRoleAccepted ? preset : null',
    replace: 'preset: isRoleAccepted ? preset : preset',
    caughtBy: 'src/agents/trust.test.ts',
  },
  {
    name: 'a project that is not trusted speaks through a script instead of a model',
    in: 'resolve',
    find: 'namedBy !== null',
    replace: 'namedBy === undefined',
    caughtBy: 'src/runner/models/create-model-source.test.ts',
  },
  {
    name: 'an agent refunds what a run below it was charged',
    in: 'refuseInsideLedger',
    find: 'if (run === null) continue',
    replace: 'if (run === null || run !== null) continue',
    caughtBy: 'src/cli/ledger/refuse-own-run.test.ts',
  },
]
