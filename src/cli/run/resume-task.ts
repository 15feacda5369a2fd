import { StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { parseLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { readCallSettings } from './call-settings.ts'
import { findTask } from './find-task.ts'
import { openRunner } from './open-runner.ts'
import { runAgent } from './run-agent.ts'

// Whoever can write in the folder of a task, as the agent's own bash can, must not say where a key is sent.
function addressMissing(id: string, kept: string): StintError {
  const command = `stint resume ${id} --base-url ${printable(kept)}`
  return new StintError(
    'invalid_option',
    `The task was begun with --base-url. If its requests are still to go there: ${command}`,
  )
}

/** Goes on here with an agent that was paused, or left behind by its process. Exactly one of all who try does. */
export async function resumeTask(
  context: CommandContext,
  id: string,
  flags: { readonly add: readonly string[]; readonly baseUrl: string | null },
): Promise<Report> {
  const task = findTask(context, id)
  const { baseUrl } = flags
  const kept = task === null ? null : readCallSettings(task.folder).baseUrl
  if (baseUrl === null && kept !== null) throw addressMissing(id, kept)
  const workingFolder = task?.record.workingFolder ?? context.platform.workingFolder
  sayLeftOut(context, leftOutOfConfig(context))
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const add = flags.add.length === 0 ? {} : { add: parseLimits(flags.add, { layer: 'call', flag: '--add' }) }
    return await runAgent(context, id, (options) => opened.runner.resume(id, { ...options, ...add, by: context.by }))
  } finally {
    await opened.close()
  }
}
