import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint status`: the tree of scopes, and how close each is to its limits. */
export function addStatus(program: Command, run: RunCommand): void {
  program
    .command('status')
    .description('show open scopes and their tightest limits')
    .option('--all', 'show every scope: ended ones too, and more than 200')
    .addHelpText('after', examples('stint status', 'stint status --all --json'))
    .action((options: { all?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/status.ts')).showStatus(context, options.all === true),
      ),
    )
}
