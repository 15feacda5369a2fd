import type { RunnerContext } from '../run/runner.ts'
import { UnknownTaskError } from '../tasks/unknown-task-error.ts'
import { finishGroup } from './finish-group.ts'
import { groupFiles } from './group-files.ts'
import type { GroupResult } from './group-result.ts'
import { readSavedGroup } from './saved-group.ts'
import { openLog } from './start-group.ts'
import { workOnGroup } from './work-on-group.ts'

/**
 * The result of a group that had ended when its process died before storing it: assembled from the results of its
 * agents. Starts nothing, since its scope has ended.
 */
export async function recoverGroup(context: RunnerContext, id: string): Promise<GroupResult> {
  const files = groupFiles(context.taskFolder, id)
  const saved = readSavedGroup(files.request, id)
  const scope = await context.governor.find(id)
  if (saved === null || scope === null) throw new UnknownTaskError(id, 'The ledger knows nothing of this group')
  const { log, tell } = openLog(context, files, id, {})
  try {
    log.warn('Its process died at its end: this was put together from the results of its agents.')
    const { signal } = new AbortController()
    const run = { context, saved, files, scope, log, isResumed: true, signal, tell }
    return await finishGroup(run, await workOnGroup(run), 0)
  } finally {
    await log.close()
  }
}
