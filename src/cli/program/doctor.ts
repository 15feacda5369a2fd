import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint doctor`: looks at everything that can be wrong with an installation and its ledger. */
export function addDoctor(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description(
      'look for what is wrong with this installation, its ledger and its agents; ends with 1 if something is',
    )
    .addHelpText('after', examples('stint doctor', 'stint doctor --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/doctor.ts')).examine(context)),
    )
}
