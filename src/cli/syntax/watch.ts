import type { Command } from 'commander'
import type { WatchFlags } from '../watch/watch.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint watch [ID]`: the tree of scopes as it changes. */
export function addWatch(program: Command, run: RunCommand): void {
  program
    .command('watch')
    .description('follow the tree of scopes as it changes, whichever process runs them')
    .argument('[ID]', `${SCOPE_ARGUMENT}; without it, everything that is open`)
    .option('--once', 'print it once and exit')
    .option('--interval <DURATION>', 'how often to refresh, at least 100ms', '1s')
    .addHelpText('after', examples('stint watch', 'stint watch 3f2a --interval 200ms'))
    .action((id: string | undefined, options: WatchFlags, command: Command) =>
      run(command, async (context) => {
        const { watch } = await import('../watch/watch.ts')
        return watch(context, id ?? null, options)
      }),
    )
}
