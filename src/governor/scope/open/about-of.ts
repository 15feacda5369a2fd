import type { ScopeAbout, ScopeKind } from '../../../core/index.ts'
import { aboutProcess } from '../../../system/index.ts'
import type { ChildSpec } from '../../governor.ts'
import type { GovernorContext, ScopeRuntime } from '../scope-runtime.ts'

/**
 * What the history keeps of a scope: what its spec says, and of a run also which process started it. Where nothing else
 * reads the store, that is known anyway.
 */
export function aboutOf(
  { store, keepsCommands }: Pick<GovernorContext, 'store' | 'keepsCommands'>,
  parent: Pick<ScopeRuntime, 'kind'> | null,
  kind: ScopeKind,
  { about }: Pick<ChildSpec, 'about'>,
): { readonly about?: ScopeAbout } {
  const isRun = kind !== 'lasting' && (parent === null || parent.kind === 'lasting')
  const said: ScopeAbout | undefined = about ?? (isRun && store.isShared ? aboutProcess() : undefined)
  if (said === undefined) return {}
  if (keepsCommands) return { about: said }
  const { command: _, task: __, ...kept } = said
  return { about: kept }
}
