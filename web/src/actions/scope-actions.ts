import type { IconName } from '../components/icon.tsx'
import { orToast } from '../components/toast.ts'
import { pauseScope, resumeScope } from './pause-and-resume.ts'
import { openDialog, type SteeredScope } from './scope-dialogs.ts'

/** What may be done with a scope now. */
export interface ScopeAction {
  readonly name: string
  readonly icon: IconName
  readonly isDangerous: boolean
  readonly run: () => void
}

interface ScopeState extends SteeredScope {
  readonly status: string
  readonly closedAtMs: number | null
  readonly pause: { readonly by: string | null } | null
}

/** The actions for a scope in its state; none for one that has ended. */
export function scopeActions(scope: ScopeState): readonly ScopeAction[] {
  if (scope.closedAtMs !== null) return []
  const limits = action('Change limits', 'limits', () => openDialog.write({ kind: 'limits', scope }))
  const stop = action('Stop', 'stop', () => openDialog.write({ kind: 'stop', scope }), true)
  const actions = [scope.pause === null ? pauseAction(scope) : resumeAction(scope), limits]
  return scope.kind === 'lasting' ? actions : [...actions, stop]
}

function pauseAction(scope: SteeredScope): ScopeAction {
  return action('Pause', 'pause', () => void orToast(() => pauseScope(scope)))
}

/** Where a limit paused it, it needs more before it can continue. */
function resumeAction(scope: ScopeState): ScopeAction {
  const isByLimit = scope.pause?.by === null
  const run = (): void => {
    if (isByLimit) openDialog.write({ kind: 'resume', scope })
    else void orToast(() => resumeScope(scope))
  }
  return action('Resume', 'play', run)
}

function action(name: string, icon: IconName, run: () => void, isDangerous = false): ScopeAction {
  return { name, icon, isDangerous, run }
}
