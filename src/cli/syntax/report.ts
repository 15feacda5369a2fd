import type { Command } from 'commander'
import type { ReportFlags } from '../commands/report.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint report`: where the money went. */
export function addReport(program: Command, run: RunCommand): void {
  program
    .command('report')
    .description('show where the money went: by agent, model, tool, user, team, day or hour')
    .option('--by <GROUP>', 'agent, model, tool, user, team, day or hour', 'model')
    .option('--since <DURATION>', 'how far back, e.g. 1d or 12h; from the start of that hour', '7d')
    .option('--time-zone <NAME>', 'the time zone of the days, e.g. Europe/Berlin (default: UTC)')
    .option('--csv', 'answer with comma-separated values')
    .option('--html <FILE>', 'also write a page with charts, which needs nothing else')
    .option('--force', 'replace that file if it exists')
    .addHelpText(
      'after',
      examples(
        'stint report --by model --since 7d',
        'stint report --by day --since 30d --time-zone Europe/Berlin',
        'stint report --by team --since 30d --html report.html',
        'stint report --by agent --csv > agents.csv',
      ),
    )
    .action((options: ReportFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/report.ts')).showReport(context, options)),
    )
}
