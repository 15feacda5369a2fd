import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint requests`: the requests for more that wait for an answer. */
export function addRequests(program: Command, run: RunCommand): void {
  program
    .command('requests')
    .description('list requests for more')
    .option('--all', 'include answered requests')
    .addHelpText('after', examples('stint requests', 'stint approve 3f2a --amount 10'))
    .action((options: { all?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/requests.ts')).showRequests(context, options.all === true),
      ),
    )
}
