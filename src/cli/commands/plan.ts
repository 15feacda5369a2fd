import { CHAIN_FILE } from '../../runner/groups/chain/read-chain-file.ts'
import type { ChainRequest, ParallelRequest } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { GroupFlags } from '../group/group-flags.ts'
import { planText } from '../group/plan-text.ts'
import { chainMeant, chainsHere, type GroupCommand, partsOf, readGroup } from '../group/read-group.ts'
import { tasksFromArguments } from '../group/task-arguments.ts'
import type { Report } from '../output/report.ts'
import { openRunner } from '../run/open-runner.ts'
import { payersOf } from '../run/run-task.ts'

/** `stint plan CHAIN [TASK]` and `stint plan "AGENT: TASK"…`. Exits with 1 if the worst case does not fit. */
export async function planWork(
  context: CommandContext,
  written: readonly string[],
  flags: GroupFlags,
): Promise<Report> {
  const { plan, what } = await readWork(context, written, flags)
  const { workingFolder } = context.platform
  const opened = await openRunner(context, { baseUrl: flags.baseUrl ?? null, workingFolder })
  try {
    const { id, settings } = plan
    const request = { ...settings, id, workingFolder, ...(await payersOf(context, plan, opened)), ...what }
    const result = await opened.runner.plan(request)
    return { json: result, text: () => planText(result, context.width), exitCode: result.fits ? 0 : 1 }
  } finally {
    await opened.close()
  }
}

interface Work {
  readonly plan: GroupCommand
  readonly what: Pick<ChainRequest, 'chain' | 'task'> | Pick<ParallelRequest, 'tasks'>
}

async function readWork(context: CommandContext, written: readonly string[], flags: GroupFlags): Promise<Work> {
  const [first = '', task = 'the task'] = written
  if (isChainName(context, first)) {
    const chain = chainMeant(context, first)
    return { plan: readGroup(context, chain.name, partsOf(chain), flags, chain.leftOut), what: { chain, task } }
  }
  const tasks = await tasksFromArguments(context, written, {})
  return { plan: readGroup(context, 'parallel', tasks, flags), what: { tasks } }
}

function isChainName(context: CommandContext, text: string): boolean {
  if (CHAIN_FILE.test(text) || chainsHere(context).chains.has(text)) return true
  // A single word is a misspelled chain rather than a task without its agent.
  return /^[^:\s]+$/.test(text) || (!text.includes(':') && /[/\\]/.test(text))
}
