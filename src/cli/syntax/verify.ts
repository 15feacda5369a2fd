import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint verify`: recomputes the whole ledger from its journal. */
export function addVerify(program: Command, run: RunCommand): void {
  program
    .command('verify')
    .description('recompute the whole ledger from its journal; exits with 0 only if everything matches')
    .addHelpText('after', examples('stint verify', 'stint verify --store sqlite:./ledger.db --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/verify.ts')).verify(context)),
    )
}
