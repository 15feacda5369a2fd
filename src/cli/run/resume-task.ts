import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { readCallSettings } from './call-settings.ts'
import { findTask } from './find-task.ts'
import { openRunner } from './open-runner.ts'
import { runAgent } from './run-agent.ts'

/** Goes on here with an agent that was paused, or left behind by its process. Exactly one of all who try does. */
export async function resumeTask(
  context: CommandContext,
  id: string,
  flags: { readonly add: readonly string[]; readonly baseUrl: string | null },
): Promise<Report> {
  const task = findTask(context, id)
  const baseUrl = flags.baseUrl ?? (task === null ? null : readCallSettings(task.folder).baseUrl)
  const workingFolder = task?.record.workingFolder ?? context.platform.workingFolder
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const add = flags.add.length === 0 ? {} : { add: flags.add }
    return await runAgent(context, id, (options) => opened.runner.resume(id, { ...options, ...add, by: context.by }))
  } finally {
    await opened.close()
  }
}
