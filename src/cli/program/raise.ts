import type { Command } from 'commander'
import { examples, gather, LIMIT_FLAG, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint raise ID --limit …`: changes limits of a scope while it runs. */
export function addRaise(program: Command, run: RunCommand): void {
  program
    .command('raise')
    .description('change limits of a scope while it runs, up or down; those that are not named stay')
    .argument('<ID>', SCOPE_ARGUMENT)
    .requiredOption(
      LIMIT_FLAG,
      'the limit as it is to be: KEY=VALUE[/PERIOD][:ACTION]; may be given several times',
      gather,
    )
    .option('--time-zone <NAME>', 'the zone whose days, weeks and months are meant')
    .addHelpText('after', examples('stint raise team:core/triage --limit turns=50 --limit cost=2'))
    .action((id: string, options: { limit: readonly string[]; timeZone?: string }, command: Command) =>
      run(command, async (context) => (await import('../commands/raise.ts')).raise(context, id, options)),
    )
}
