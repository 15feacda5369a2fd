import type { Command } from 'commander'
import { InvalidOptionError, isEnded, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { stopScope } from '../ledger/stop-scope.ts'
import type { Report } from '../output/report.ts'
import type { RunCommand } from '../run-command.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'

/** `stint stop ID`: ends a run and everything below it. */
export function addStop(program: Command, run: RunCommand): void {
  program
    .command('stop')
    .description('end a run and everything below it; whoever runs it sees that within a second')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--reason <TEXT>', 'why, for the journal', 'stopped by hand')
    .addHelpText('after', examples('stint stop team:core/triage --reason "no longer needed"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      run(command, (context) => stop(context, id, options.reason)),
    )
}

async function stop(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id, path, kind, status } = await findScope(store, text, platform.nowMs())
  if (kind === 'lasting') {
    throw new InvalidOptionError('stint stop', path, `a run: a budget has no end (\`stint pause ${path}\` closes it)`)
  }
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has ended already (${status}).`)
  // Paused first, so that nothing new is opened there meanwhile, and the journal has who it was and why.
  await store.pause({ scopeId: id, reason, by, atMs: platform.nowMs() })
  const stopped = await stopScope(store, id, platform.nowMs)
  const below = stopped.length > 1 ? ` and ${stopped.length - 1} below it` : ''
  return { json: { id, path, status: 'stopped', stopped }, text: `Stopped ${printable(path)}${below}.` }
}
