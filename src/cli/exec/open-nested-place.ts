import { openNestedRun } from '../../exec/index.ts'
import { onlyTightens, resolveLimits } from '../../policy/index.ts'
import { type ExecPlace, totalsOf } from './exec-place.ts'
import type { ExecPlan } from './exec-plan.ts'
import { refuseOtherPayers } from './refuse-other-payers.ts'

/** Opens a run inside the `stint` around us: its ledger, its gateway, and a scope of its own there. */
export async function openNestedPlace(token: string, plan: ExecPlan): Promise<ExecPlace> {
  refuseOtherPayers({ ...plan.named, ...(plan.within === null ? {} : { within: plan.within }) })
  // The stint around us decides who pays. What the config says of that budget bounds this run, which is a part of it.
  const { team, user } = plan.caller.sharedLimits
  const { limits } = resolveLimits([...plan.layers, ...[...team, ...user].map(onlyTightens)])
  const run = await openNestedRun(token, { name: plan.name, limits, wrapUp: plan.wrapUp })
  return {
    run,
    hasIdleLimit: limits.some(({ meter }) => meter === 'idleTime'),
    async leave(outcomeOf) {
      const totals = await totalsOf(run)
      const outcome = outcomeOf(totals)
      // Paused, it is the stint around us that keeps it, and lets it go on.
      if (outcome.status !== 'paused') await run.close(outcome.status)
      return { outcome, totals }
    },
    // The stint around us waits for them.
    hurry() {},
  }
}
