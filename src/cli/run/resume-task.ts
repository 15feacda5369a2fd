import { printable } from '../../core/checks/printable.ts'
import { StintError } from '../../core/index.ts'
import { findTask } from '../../operate/tasks/find-task.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import { parseLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { readCallSettings } from './call-settings.ts'
import { openRunner } from './open-runner.ts'
import { runAgent } from './run-agent.ts'

// Anything that can write to the task's folder, such as the agent's own bash, must not decide where a key is sent.
function addressMissing(id: string, kept: string): StintError {
  const command = `stint resume ${id} --base-url ${printable(kept)}`
  return new StintError(
    'invalid_option',
    `The task was started with --base-url. To keep sending its requests there: ${command}`,
  )
}

/** Continues an agent here that was paused or whose process died. Of several attempts, exactly one wins. */
export async function resumeTask(
  context: CommandContext,
  id: string,
  flags: { readonly add: readonly string[]; readonly baseUrl: string | null },
): Promise<Report> {
  const task = findTask(tasksFolder(context.config()), id)
  const { baseUrl } = flags
  const kept = task === null ? null : readCallSettings(task.folder).baseUrl
  if (baseUrl === null && kept !== null) throw addressMissing(id, kept)
  const workingFolder = task?.record.workingFolder ?? context.platform.workingFolder
  sayLeftOut(context, leftOutOfConfig(context))
  const opened = await openRunner(context, { baseUrl, workingFolder })
  try {
    const { isSavedGroup } = await import('../../runner/groups/saved-group.ts')
    const add = flags.add.length === 0 ? {} : { add: parseLimits(flags.add, { layer: 'call', flag: '--add' }) }
    if (task !== null && isSavedGroup(task.request, id)) {
      const { followGroup } = await import('../group/run-group.ts')
      return await followGroup(context, id, (options) =>
        opened.runner.resumeGroup(id, { ...options, ...add, by: context.by }),
      )
    }
    return await runAgent(context, id, (options) => opened.runner.resume(id, { ...options, ...add, by: context.by }))
  } finally {
    await opened.close()
  }
}
