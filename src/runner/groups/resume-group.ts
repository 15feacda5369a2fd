import { isEnded } from '../../core/index.ts'
import { ScopeClosedError } from '../../governor/index.ts'
import { addedLimits, parseAddition } from '../run/added-limits.ts'
import type { RunnerContext } from '../run/runner.ts'
import { refuseLink } from '../tasks/make-task-folder.ts'
import { UnknownTaskError } from '../tasks/unknown-task-error.ts'
import { groupFiles } from './group-files.ts'
import type { GroupResumeOptions } from './group-request.ts'
import type { GroupResult } from './group-result.ts'
import { readSavedGroup } from './saved-group.ts'
import { openLog, runGroup } from './start-group.ts'

/**
 * Resumes a group that was paused, or whose process died: finished agents stay finished, those that had started
 * continue, and the others are started. Of several concurrent attempts exactly one succeeds.
 */
export async function resumeGroup(
  context: RunnerContext,
  id: string,
  options: GroupResumeOptions,
): Promise<GroupResult> {
  const { governor, taskFolder, tasks } = context
  const files = groupFiles(taskFolder, id)
  refuseLink(files.folder)
  const { add, by } = options
  // Throws for an invalid addition before anything is claimed.
  if (add !== undefined) parseAddition(add)
  const saved = readSavedGroup(files.request, id)
  if (saved === null) throw new UnknownTaskError(id, tasks.get(id) === null ? undefined : 'This group was never run')
  const scope = await governor.find(id)
  if (scope === null) throw new UnknownTaskError(id, 'The ledger has no record of this group')
  if (isEnded(scope.status())) throw new ScopeClosedError(id)
  const who = by === undefined ? {} : { by }
  await scope.resume(who)
  const { log, tell } = openLog(context, files, id, options)
  try {
    if (add !== undefined) {
      const { limits, warnings } = await addedLimits(scope, add)
      for (const warning of warnings) log.warn(warning)
      if (limits !== null) await scope.setLimits(limits, who)
    }
    return await runGroup({ context, saved, files, scope, log, isResumed: true, tell }, options)
  } finally {
    await log.close()
  }
}
