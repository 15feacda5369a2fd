import type { Mutant } from './mutant.ts'

/** Bugs in what is believed of a project's files. The simulation reads no files, so tests catch these. */
export const CLI_MUTANTS: readonly Mutant[] = [
  {
    name: 'the prices of a config that is merely found are used',
    in: 'believedConfig',
    find: 'configClaims(document).filter((claim) => !trust.believes(claim))',
    replace: 'configClaims(document).filter((claim) => !trust.believes(claim) && claim.path.length === 0)',
    caughtBy: 'src/cli/config/believed-config.test.ts',
  },
  {
    name: 'a config that is merely found raises limits',
    in: 'trustedLimits',
    find: 'trust.believes(claimOf(said, place))',
    replace: 'trust.believes(claimOf(said, place)) || true',
    caughtBy: 'src/cli/config/believed-config.test.ts',
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
    find: 'preset: isRoleBelieved ? preset : null',
    replace: 'preset: isRoleBelieved ? preset : preset',
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
