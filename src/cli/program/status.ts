import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint status`: the tree of scopes, and how near each is to its limits. */
export function addStatus(program: Command, run: RunCommand): void {
  program
    .command('status')
    .description('show the scopes that are open, and their tightest limits')
    .option('--all', 'every scope: those that have ended too, and more than 200')
    .addHelpText('after', examples('stint status', 'stint status --all --json'))
    .action((options: { all?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/status.ts')).showStatus(context, options.all === true),
      ),
    )
}
