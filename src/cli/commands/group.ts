import type { Command } from 'commander'
import { InvalidOptionError, type ScopeReading } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { GroupFlags, ParallelFlags } from '../group/group-flags.ts'
import type { GroupCommand } from '../group/read-group.ts'
import type { Report } from '../output/report.ts'

const NOT_AGAIN = ['--background', '--id', '--json']

/** `stint parallel TASK…`. */
export async function runParallel(
  context: CommandContext,
  written: readonly string[],
  flags: ParallelFlags,
  command: Command,
): Promise<Report> {
  const { tasksFromArguments } = await import('../group/task-arguments.ts')
  const { readGroup } = await import('../group/read-group.ts')
  const tasks = await tasksFromArguments(context, written, flags)
  const plan = readGroup(context, 'parallel', tasks, flags)
  if (flags.background === true) {
    const { flagsAgain } = await import('../flags/flags-again.ts')
    const texts = tasks.map(({ agent, task }) => `${agent}: ${task}`)
    const args = ['parallel', ...flagsAgain(command, NOT_AGAIN), `--id=${plan.id}`, '--', ...texts]
    return inBackground(context, plan, args, '')
  }
  const { runGroup } = await import('../group/run-group.ts')
  const { failFast, worktree } = flags
  const more = { ...(failFast === undefined ? {} : { failFast }), ...(worktree === undefined ? {} : { worktree }) }
  return runGroup(context, plan, (runner, request, options) => runner.parallel({ ...request, tasks, ...more }, options))
}

/** `stint chain CHAIN TASK`. */
export async function runChain(
  context: CommandContext,
  name: string,
  written: string,
  flags: GroupFlags,
  command: Command,
): Promise<Report> {
  const { chainMeant, partsOf, readGroup } = await import('../group/read-group.ts')
  const { readTask } = await import('../run/read-task.ts')
  const chain = chainMeant(context, name)
  const plan = readGroup(context, chain.name, partsOf(chain), flags, chain.leftOut)
  const task = await readTask(context.platform, written)
  if (flags.background === true) {
    const { flagsAgain } = await import('../flags/flags-again.ts')
    const args = ['chain', ...flagsAgain(command, NOT_AGAIN), `--id=${plan.id}`, '--', name, '-']
    return inBackground(context, plan, args, task)
  }
  const { runGroup } = await import('../group/run-group.ts')
  return runGroup(context, plan, (runner, request, options) => runner.chain({ ...request, chain, task }, options))
}

async function inBackground(
  context: CommandContext,
  { id, name }: GroupCommand,
  args: readonly string[],
  input: string,
): Promise<Report> {
  if (context.platform.env.STINT_SCOPE) {
    throw new InvalidOptionError('--background', true, 'omitted here: a run inside another run ends with it')
  }
  const { runInBackground } = await import('../run/run-in-background.ts')
  const hasBegun = (scope: ScopeReading | null): boolean => scope !== null
  return runInBackground(context, { id, agent: name, args, input, hasBegun })
}
