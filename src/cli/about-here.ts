import type { ScopeAbout } from '../core/index.ts'
import { commandText } from '../system/index.ts'
import type { CommandContext } from './command-context.ts'

/** What the ledger stores about a run that this command starts. The ledger removes keys from it. */
export function aboutHere(
  context: Pick<CommandContext, 'by' | 'platform' | 'config'>,
  what: Pick<ScopeAbout, 'command' | 'task'>,
): ScopeAbout {
  const { by, platform } = context
  const kept = context.config().history?.commands === false ? {} : what
  return { ...kept, by, folder: platform.workingFolder, host: platform.hostName }
}

/** The same for a command of `stint exec`. */
export function aboutCommand(
  context: Parameters<typeof aboutHere>[0],
  { command, args }: { readonly command: string; readonly args: readonly string[] },
): ScopeAbout {
  return aboutHere(context, { command: commandText(command, args) })
}
