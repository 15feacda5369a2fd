import type { Command } from 'commander'
import { examples, gather } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint assumed …`: calls that were charged at their worst case because what they used isn't known. */
export function addAssumed(program: Command, run: RunCommand): void {
  const assumed = program
    .command('assumed')
    .description('correct the charges of calls that were cut off or whose process died')
    .addHelpText('after', examples('stint assumed list', 'stint assumed settle 3f2a --amount cost=0.02'))
  assumed
    .command('list')
    .description('list calls with unknown usage, and what invisible processes have reserved')
    .addHelpText('after', examples('stint assumed list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/assumed.ts')).listAssumed(context)),
    )
  assumed
    .command('settle')
    .description('charge the real usage; a meter that is not named stays charged in full')
    .argument('<ID>', 'the id of the reservation, or its beginning')
    .requiredOption('--amount <METER=VALUE>', 'the real usage; can be repeated', gather)
    .option('--reason <TEXT>', 'the evidence, for the journal')
    .addHelpText(
      'after',
      examples('stint assumed settle 3f2a --amount cost=0.02 --amount tokens=1200 --reason "bill of May"'),
    )
    .action((id: string, options: { amount: readonly string[]; reason?: string }, command: Command) =>
      run(command, async (context) => (await import('../commands/assumed.ts')).settleAssumed(context, id, options)),
    )
  assumed
    .command('forgive')
    .description('refund the charge: nothing was used')
    .argument('<ID>', 'the id of the reservation, or its beginning')
    .requiredOption('--reason <TEXT>', 'how you know, for the journal')
    .addHelpText('after', examples('stint assumed forgive 3f2a --reason "the provider has no record of it"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/assumed.ts')).forgiveAssumed(context, id, options.reason),
      ),
    )
  assumed
    .command('declare-dead')
    .description('declare a process dead that cannot be seen from here, and charge its open calls in full')
    .argument('<HOLDER>', 'the holder as shown by `stint assumed list`, or its beginning or end')
    .requiredOption('--reason <TEXT>', 'how you know, for the journal')
    .addHelpText('after', examples('stint assumed declare-dead 9f2c81d04b7e --reason "the container was OOM-killed"'))
    .action((holder: string, options: { reason: string }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/assumed.ts')).declareDead(context, holder, options.reason),
      ),
    )
}
