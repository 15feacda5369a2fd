import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint approve ID` and `stint deny ID`: answer a request for more. */
export function addAnswers(program: Command, run: RunCommand): void {
  program
    .command('approve')
    .description('approve a request for more; never more than the scopes above have left')
    .argument('<ID>', 'the id of the request, or its beginning')
    .option('--amount <VALUE>', 'another amount, e.g. 10, 50k or 0.50 (dollars)')
    .addHelpText('after', examples('stint approve 3f2a', 'stint approve 3f2a --amount 0.50'))
    .action((id: string, options: { amount?: string }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/answer.ts')).answer(context, id, 'approved', options.amount),
      ),
    )
  program
    .command('deny')
    .description('deny a request for more: what needed it is refused, or ends')
    .argument('<ID>', 'the id of the request, or its beginning')
    .addHelpText('after', examples('stint deny 3f2a'))
    .action((id: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/answer.ts')).answer(context, id, 'denied')),
    )
}
