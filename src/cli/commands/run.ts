import type { Command } from 'commander'
import { InvalidOptionError, type ScopeReading } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { RunFlags } from '../flags/run-flags.ts'
import type { Report } from '../output/report.ts'

/** `stint run AGENT TASK`. */
export async function runAgentTask(
  context: CommandContext,
  agent: string,
  task: string,
  flags: RunFlags,
  command: Command,
): Promise<Report> {
  const { readRun } = await import('../run/read-run.ts')
  const plan = await readRun(context, agent, task, flags)
  if (flags.background === true) {
    refuseInBackground(context)
    const { runInBackground } = await import('../run/run-in-background.ts')
    const { flagsAgain } = await import('../flags/flags-again.ts')
    const { id } = plan
    const again = flagsAgain(command, ['--background', '--id', '--json'])
    const args = ['run', ...again, `--id=${id}`, '--', agent, '-']
    const { ceilingNotices } = await import('../run/ceiling-notices.ts')
    const notices = ceilingNotices(plan)
    const hasBegun = (scope: ScopeReading | null): boolean => scope !== null
    return runInBackground(context, { id, agent, args, input: plan.task, notices, hasBegun })
  }
  const { runTask } = await import('../run/run-task.ts')
  return runTask(context, plan)
}

/** A run inside another ends with it, and must not seem to continue in the background. */
function refuseInBackground({ platform }: CommandContext): void {
  const { STINT_SCOPE: token } = platform.env
  if (!token) return
  throw new InvalidOptionError('--background', true, 'omitted here: a run inside another run ends with it')
}
