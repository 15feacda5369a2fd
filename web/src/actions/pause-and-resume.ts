import { showToast } from '../components/toast.ts'
import { callApi } from '../data/call-api.ts'
import type { SteeredScope } from './scope-dialogs.ts'

/** Pauses a scope at once: that can be undone, and what it prevents cannot. */
export async function pauseScope(scope: SteeredScope): Promise<void> {
  await callApi('POST /api/scopes/:id/pause', { params: { id: scope.id }, body: {} })
  showToast(`Paused ${scope.name}.`, { undo: () => resumeScope(scope) })
}

/** Resumes a scope, with more of its limits if `add` has any. */
export async function resumeScope(scope: SteeredScope, add: readonly string[] = []): Promise<void> {
  const body = add.length === 0 ? {} : { add }
  const { cuts } = await callApi('POST /api/scopes/:id/resume', { params: { id: scope.id }, body })
  const note = cuts.length === 0 ? '' : ` ${cuts.join(' ')}`
  showToast(`Resumed ${scope.name}.${note}`, { undo: () => pauseScope(scope) })
}
