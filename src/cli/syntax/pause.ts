import type { Command } from 'commander'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint pause ID`: admits no more calls until it is resumed. */
export function addPause(program: Command, run: RunCommand): void {
  program
    .command('pause')
    .description('pause a scope and everything below it; calls in flight finish')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--reason <TEXT>', 'why, shown with the scope', 'paused by hand')
    .addHelpText('after', examples('stint pause team:core/triage --reason "looks at the wrong repository"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      run(command, async (context) => (await import('../commands/pause.ts')).pause(context, id, options.reason)),
    )
}
