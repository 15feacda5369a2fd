import { openNestedRun } from '../../exec/index.ts'
import { onlyTightens, resolveLimits } from '../../policy/index.ts'
import { aboutCommand } from '../about-here.ts'
import type { CommandContext } from '../command-context.ts'
import { type ExecPlace, totalsOf } from './exec-place.ts'
import type { ExecPlan } from './exec-plan.ts'
import { refuseOtherPayers } from './refuse-other-payers.ts'

/** Opens a run inside the enclosing `stint`: a scope of its own, in the same ledger and on the same gateway. */
export async function openNestedPlace(context: CommandContext, token: string, plan: ExecPlan): Promise<ExecPlace> {
  refuseOtherPayers({ ...plan.named, ...(plan.within === null ? {} : { within: plan.within }) })
  // The enclosing stint decides who pays. The config's limits for that budget also bound this run.
  const { team, user } = plan.caller.sharedLimits
  const { limits } = resolveLimits([...plan.layers, ...[...team, ...user].map(onlyTightens)])
  const run = await openNestedRun(token, {
    name: plan.name,
    limits,
    wrapUp: plan.wrapUp,
    about: aboutCommand(context, plan),
  })
  return {
    run,
    hasIdleLimit: limits.some(({ meter }) => meter === 'idleTime'),
    async leave(outcomeOf) {
      const totals = await totalsOf(run)
      const outcome = outcomeOf(totals)
      // When paused, the enclosing stint holds and resumes it.
      if (outcome.status !== 'paused') await run.close(outcome.status)
      return { outcome, totals }
    },
    // The enclosing stint waits for them.
    hurry() {},
  }
}
