import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint approve ID` and `stint deny ID`: answer a request for more. */
export function addAnswers(program: Command, run: RunCommand): void {
  program
    .command('approve')
    .description('give a scope more, as it asked for; never more than the scopes above have left')
    .argument('<ID>', 'the id of the request, or the beginning of it')
    .option('--amount <VALUE>', 'a part of it, or more, e.g. 10, 50k or 0.50 (dollars)')
    .addHelpText('after', examples('stint approve 3f2a', 'stint approve 3f2a --amount 0.50'))
    .action((id: string, options: { amount?: string }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/answer.ts')).answer(context, id, 'approved', options.amount),
      ),
    )
  program
    .command('deny')
    .description('refuse a request for more: then the limit does what it does without asking')
    .argument('<ID>', 'the id of the request, or the beginning of it')
    .addHelpText('after', examples('stint deny 3f2a'))
    .action((id: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/answer.ts')).answer(context, id, 'denied')),
    )
}
