import type { Mutant } from './mutant.ts'

/** Bugs in how layers come to the limits that hold. The simulation writes its limits itself, so tests catch these. */
export const POLICY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a warning of a weaker layer weakens a limit above it',
    in: 'defaultAction',
    find: 'ranked.filter((limits) => isAsStrong(limits.layer, layer))',
    replace: "ranked.filter((limits) => isAsStrong(limits.layer, 'defaults') || limits.layer === layer)",
    caughtBy: 'src/policy/layers/resolve-limits.test.ts',
  },
  {
    name: 'a file that is not trusted raises a limit',
    in: 'tightenLimit',
    find: 'hasSameWindows(limit, held) && max <= held.max',
    replace: 'hasSameWindows(limit, held) && max <= held.max + 1',
    caughtBy: 'src/policy/layers/only-tightens.test.ts',
  },
]
