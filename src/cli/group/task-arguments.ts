import { isAgentName } from '../../agents/index.ts'
import { InvalidOptionError } from '../../core/index.ts'
import type { ChildInput } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { acceptanceFrom } from '../run/acceptance-flag.ts'
import { readTask } from '../run/read-task.ts'
import type { ParallelFlags } from './group-flags.ts'
import { wholeFrom } from './whole-from.ts'

const FORM = 'AGENT: TASK, e.g. "explore: map the tests"'

/** Reads `AGENT: TASK` for each agent; `AGENT: @FILE` reads its task from a file. */
export async function tasksFromArguments(
  { platform }: CommandContext,
  written: readonly string[],
  { count, acceptance: contract }: Pick<ParallelFlags, 'count' | 'acceptance'>,
): Promise<readonly ChildInput[]> {
  const acceptance = acceptanceFrom(platform.workingFolder, contract)
  const each = {
    ...(count === undefined ? {} : { count: wholeFrom('--count', count) }),
    ...(acceptance === undefined ? {} : { acceptance }),
  }
  const tasks: ChildInput[] = []
  for (const text of written) {
    const colon = text.indexOf(':')
    const agent = text.slice(0, Math.max(0, colon)).trim()
    const task = text.slice(colon + 1).trim()
    if (!isAgentName(agent) || task === '' || task === '-') throw new InvalidOptionError('TASK', text, FORM)
    tasks.push({ agent, task: await readTask(platform, task), ...each })
  }
  return tasks
}
