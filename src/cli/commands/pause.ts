import type { Command } from 'commander'
import { StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import type { Report } from '../output/report.ts'
import type { RunCommand } from '../run-command.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'

/** `stint pause ID`: admits nothing more, until somebody resumes it. */
export function addPause(program: Command, run: RunCommand): void {
  program
    .command('pause')
    .description('admit nothing more in a scope and below it; what is in flight finishes')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--reason <TEXT>', 'why, for whoever looks at it', 'paused by hand')
    .addHelpText('after', examples('stint pause team:core/triage --reason "looks at the wrong repository"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      run(command, (context) => pauseScope(context, id, options.reason)),
    )
}

async function pauseScope(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id, path } = await findScope(store, text, platform.nowMs())
  const outcome = await store.pause({ scopeId: id, reason, by, atMs: platform.nowMs() })
  if (outcome.kind === 'closed') throw new StintError('scope_closed', `"${path}" has ended: there is nothing to pause.`)
  const isNew = outcome.kind === 'paused'
  const said = isNew ? 'Paused' : 'Was paused already:'
  return {
    json: { id, path, status: 'paused', isNew, pause: outcome.pause },
    text: `${said} ${printable(path)}. To let it go on: stint resume ${printable(id)}`,
  }
}
