import { join } from 'node:path'
import { refusePausedBudget, unpausedBudget } from '../../operate/budgets/refuse-paused-budget.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import { type LayerInput, onlyTightens } from '../../policy/index.ts'
import type { RunOptions, RunRequest } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { refuseOtherPayers } from '../exec/refuse-other-payers.ts'
import { budgetsOf, type CallerFlags, callerFrom } from '../flags/caller-from.ts'
import type { Report } from '../output/report.ts'
import { keepCallSettings } from './call-settings.ts'
import { type OpenedRunner, openRunner } from './open-runner.ts'
import type { AgentCommand } from './read-run.ts'
import { runAgent } from './run-agent.ts'

/** Runs a planned task here, to its end. */
export async function runTask(context: CommandContext, plan: AgentCommand): Promise<Report> {
  const { platform } = context
  const { id, agent, task, askAbove, flags, tools, acceptance } = plan
  const { baseUrl = null, model, name, wrapUp, read: reads, output } = flags
  const { workingFolder } = platform
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const request = {
      id,
      agent,
      task,
      workingFolder,
      askAbove,
      ...(await payersOf(context, plan, opened)),
      ...(model === undefined ? {} : { model }),
      ...(name === undefined ? {} : { name }),
      ...(wrapUp ? {} : { wrapUp }),
      ...(tools === null ? {} : { allowedTools: tools }),
      ...(reads === undefined ? {} : { reads }),
      ...(output === undefined ? {} : { output }),
      ...(acceptance === undefined ? {} : { acceptance }),
    }
    const keep = (): void => keepCallSettings(join(tasksFolder(context.config()), id), { baseUrl })
    return await runAgent(context, id, (options) => opened.runner.run(request, withStart(options, keep)))
  } finally {
    await opened.close()
  }
}

/** Nothing is kept of a task that never started. */
function withStart(options: RunOptions, onStarted: () => void): RunOptions {
  return {
    ...options,
    onProgress(progress) {
      if (progress.kind === 'started') onStarted()
      options.onProgress?.(progress)
    },
  }
}

/** Who pays, and the config's limits for that. Inside another run, that run pays, and no other payer can be named. */
export async function payersOf(
  context: CommandContext,
  { flags, layers }: { readonly flags: CallerFlags; readonly layers: readonly LayerInput[] },
  opened: OpenedRunner,
): Promise<Pick<RunRequest, 'layers' | 'within' | 'team' | 'user' | 'sharedLimits'>> {
  const { around } = opened
  const config = context.config()
  if (around === null) {
    const reader = { store: opened.store, nowMs: context.platform.nowMs }
    const within =
      flags.within === undefined ? null : await opened.governor.budget(await unpausedBudget(reader, flags.within))
    const caller = callerFrom(config, flags)
    for (const key of budgetsOf(caller)) await refusePausedBudget(reader, key)
    return { layers, within, ...caller }
  }
  refuseOtherPayers(flags)
  const { team, user } = config.shared
  // The config's limits for the budgets of a team and a user also bound this run.
  return { layers: [...layers, ...[...team, ...user].map(onlyTightens)], within: around }
}
