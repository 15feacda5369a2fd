import type { Command } from 'commander'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint stop ID`: ends a run and everything below it. */
export function addStop(program: Command, run: RunCommand): void {
  program
    .command('stop')
    .description('end a run and everything below it; its process notices within a second')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--reason <TEXT>', 'why, for the journal', 'stopped by hand')
    .addHelpText('after', examples('stint stop team:core/triage --reason "no longer needed"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      run(command, async (context) => (await import('../commands/stop.ts')).stop(context, id, options.reason)),
    )
}
