import type { Command } from 'commander'
import type { PruneOptions } from '../commands/prune.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint prune --older-than 90d`: removes the details of what ended long ago. */
export function addPrune(program: Command, run: RunCommand): void {
  program
    .command('prune')
    .description('remove the details of what ended long ago; totals, roots and what is open or assumed stay')
    .option('--older-than <DURATION>', 'how long ago it must have ended, e.g. 90d (default: what the config keeps)')
    .option('--dry-run', 'only show what would be removed')
    .addHelpText('after', examples('stint prune --older-than 90d --dry-run', 'stint prune --older-than 90d'))
    .action((options: PruneOptions, command: Command) =>
      run(command, async (context) => (await import('../commands/prune.ts')).prune(context, options)),
    )
}
