import { join } from 'node:path'
import type { Scope } from '../../governor/index.ts'
import { onlyTightens } from '../../policy/index.ts'
import type { RunOptions, RunRequest } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { refuseOtherPayers } from '../exec/refuse-other-payers.ts'
import { findBudget } from '../ledger/find-budget.ts'
import { refusePausedBudget } from '../ledger/refuse-paused-budget.ts'
import type { Report } from '../output/report.ts'
import { keepCallSettings } from './call-settings.ts'
import { budgetsOf, callerFrom } from './caller-from.ts'
import { type OpenedRunner, openRunner } from './open-runner.ts'
import type { RunPlan } from './plan-run.ts'
import { runAgent } from './run-agent.ts'
import { tasksFolder } from './task-folder.ts'

/** Runs a planned task here, to its end. */
export async function runTask(context: CommandContext, plan: RunPlan): Promise<Report> {
  const { platform } = context
  const { id, agent, task, flags, tools } = plan
  const { baseUrl = null, model, name, wrapUp, read: reads, output } = flags
  const { workingFolder } = platform
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const request = {
      id,
      agent,
      task,
      workingFolder,
      ...(await payersOf(context, plan, opened)),
      ...(model === undefined ? {} : { model }),
      ...(name === undefined ? {} : { name }),
      ...(wrapUp ? {} : { wrapUp }),
      ...(tools === null ? {} : { allowedTools: tools }),
      ...(reads === undefined ? {} : { reads }),
      ...(output === undefined ? {} : { output }),
    }
    const keep = (): void => keepCallSettings(join(tasksFolder(context.config()), id), { baseUrl })
    return await runAgent(context, id, (options) => opened.runner.run(request, withStart(options, keep)))
  } finally {
    await opened.close()
  }
}

/** Nothing is kept of what never began. */
function withStart(options: RunOptions, onStarted: () => void): RunOptions {
  return {
    ...options,
    onProgress(progress) {
      if (progress.kind === 'started') onStarted()
      options.onProgress?.(progress)
    },
  }
}

/** Who pays, and what the config says of that. Inside another run that run does, and nothing else can be named. */
async function payersOf(
  context: CommandContext,
  { flags, layers }: RunPlan,
  opened: OpenedRunner,
): Promise<Pick<RunRequest, 'layers' | 'within' | 'team' | 'user' | 'sharedLimits'>> {
  const { around } = opened
  const config = context.config()
  if (around === null) {
    const within = flags.within === undefined ? null : await budgetOf(context, opened, flags.within)
    const caller = callerFrom(config, flags)
    for (const key of budgetsOf(caller)) await refusePausedBudget(opened.store, key, context.platform.nowMs())
    return { layers, within, ...caller }
  }
  refuseOtherPayers(flags)
  const { team, user } = config.shared
  // What the config says of the budgets of a team and a user bounds this run, which is a part of what they pay.
  return { layers: [...layers, ...[...team, ...user].map(onlyTightens)], within: around }
}

/** A budget that is not there is a slip of the keyboard, and must not be made without limits. */
async function budgetOf({ platform }: CommandContext, opened: OpenedRunner, key: string): Promise<Scope> {
  const { id } = await findBudget(opened.store, key, platform.nowMs())
  await refusePausedBudget(opened.store, id, platform.nowMs())
  return opened.governor.budget(id)
}
