import type { ScopeAbout } from '../core/index.ts'
import type { CommandContext } from './command-context.ts'

/** What the ledger keeps of a run that this command starts. The ledger removes keys from it. */
export function aboutHere(
  context: Pick<CommandContext, 'by' | 'platform' | 'config'>,
  what: Pick<ScopeAbout, 'command' | 'task'>,
): ScopeAbout {
  const { by, platform } = context
  const kept = context.config().history?.commands === false ? {} : what
  return { ...kept, by, folder: platform.workingFolder, host: platform.hostName }
}
