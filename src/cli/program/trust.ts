import type { Command } from 'commander'
import type { TrustFlags } from '../trust/trust-folder.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint trust [FOLDER]`: believes what the files of a project say. */
export function addTrust(program: Command, run: RunCommand): void {
  program
    .command('trust')
    .description('show what the config and the agents of a folder ask for, and allow it; until then they only tighten')
    .argument('[FOLDER]', 'the folder of the project (default: this one)')
    .option('--show', 'only show it')
    .option('--remove', 'trust it no longer')
    .addHelpText('after', examples('stint trust', 'stint trust --show --json', 'stint trust --remove'))
    .action((folder: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) =>
        (await import('../trust/trust-folder.ts')).trustFolder(context, folder, command.optsWithGlobals<TrustFlags>()),
      ),
    )
}
