import { isEnded } from '../../core/index.ts'
import type { RunnerContext } from '../run/runner.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { type GroupResult, isGroupResult } from './group-result.ts'
import { isSavedGroup } from './saved-group.ts'

/** How far a group got. */
export type RecordedGroup =
  /** It has no scope yet: it is started. */
  | { readonly kind: 'new' }
  /** It is resumed. */
  | { readonly kind: 'begun' }
  /** It has ended; `null` if its process died before it could store the result. */
  | { readonly kind: 'ended'; readonly result: GroupResult | null }

/** What is known of a group from an earlier process: from the ledger, which takes precedence, and from its files. */
export async function recordedGroup({ governor, taskFolder }: RunnerContext, id: string): Promise<RecordedGroup> {
  const { request, meta } = taskFiles(taskFolder, id)
  const scope = await governor.find(id)
  if (scope === null || !isSavedGroup(request, id)) return { kind: 'new' }
  return isEnded(scope.status()) ? { kind: 'ended', result: keptResult(meta) } : { kind: 'begun' }
}

function keptResult(file: string): GroupResult | null {
  try {
    const value: unknown = JSON.parse(readSmallFile(file) ?? 'null')
    return isGroupResult(value) ? value : null
  } catch {
    return null
  }
}
