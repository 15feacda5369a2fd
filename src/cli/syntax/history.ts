import type { Command } from 'commander'
import type { HistoryFlags } from '../commands/history.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint history`: the runs that have ended. */
export function addHistory(program: Command, run: RunCommand): void {
  program
    .command('history')
    .description('show the runs that have ended: what ran, how long, what it cost and how it ended')
    .option('--since <DURATION>', 'all that ended since, e.g. 1d (default: the last 50)')
    .option('--sums <GROUP>', 'show sums of calls instead, by hour, day, model, tool, agent or root')
    .option('--csv', 'answer with comma-separated values')
    .addHelpText(
      'after',
      examples(
        'stint history --since 1d',
        'stint history --sums model --since 7d',
        'stint history --since 30d --csv > runs.csv',
      ),
    )
    .action((options: HistoryFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/history.ts')).showHistory(context, options)),
    )
}
