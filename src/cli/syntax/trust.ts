import type { Command } from 'commander'
import type { TrustFlags } from '../commands/trust.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint trust [FOLDER]`: trusts the files of a project. */
export function addTrust(program: Command, run: RunCommand): void {
  program
    .command('trust')
    .description(
      'show what the config and agents of a folder ask for, and allow it; until then they can only tighten limits',
    )
    .argument('[FOLDER]', 'the folder of the project (default: this one)')
    .option('--show', 'only show it')
    .option('--remove', 'stop trusting it')
    .addHelpText('after', examples('stint trust', 'stint trust --show --json', 'stint trust --remove'))
    .action((folder: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/trust.ts')).trustFolder(context, folder, command.optsWithGlobals<TrustFlags>()),
      ),
    )
}
