import type { Command } from 'commander'
import { examples, gather, LIMIT_FLAG, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint raise ID --limit …`: changes limits of a scope while it runs. */
export function addRaise(program: Command, run: RunCommand): void {
  program
    .command('raise')
    .description('change limits of a scope while it runs, up or down; the others stay as they are')
    .argument('<ID>', SCOPE_ARGUMENT)
    .requiredOption(LIMIT_FLAG, 'the new limit: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--time-zone <NAME>', 'the time zone of days, weeks and months')
    .addHelpText('after', examples('stint raise team:core/triage --limit turns=50 --limit cost=2'))
    .action((id: string, options: { limit: readonly string[]; timeZone?: string }, command: Command) =>
      run(command, async (context) => (await import('../commands/raise.ts')).raise(context, id, options)),
    )
}
