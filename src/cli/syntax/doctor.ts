import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint doctor`: checks an installation and its ledger. */
export function addDoctor(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('check this installation, its ledger and its agents; exits with 1 if there are problems')
    .addHelpText('after', examples('stint doctor', 'stint doctor --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/doctor.ts')).examine(context)),
    )
}
