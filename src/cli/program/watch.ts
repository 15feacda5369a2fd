import type { Command } from 'commander'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

interface WatchOptions {
  readonly once?: boolean
  readonly interval: string
}

/** `stint watch [ID]`: the tree of scopes as it changes. */
export function addWatch(program: Command, run: RunCommand): void {
  program
    .command('watch')
    .description('follow the tree of scopes as it changes, whichever process runs them')
    .argument('[ID]', `${SCOPE_ARGUMENT}; without it, everything that is open`)
    .option('--once', 'show it once')
    .option('--interval <DURATION>', 'how long between two looks, at least 100ms', '1s')
    .addHelpText('after', examples('stint watch', 'stint watch 3f2a --interval 200ms'))
    .action((id: string | undefined, options: WatchOptions, command: Command) =>
      run(command, async (context) => {
        const { durationFromText } = await import('../commands/duration-from-text.ts')
        const intervalMs = durationFromText('--interval', options.interval, 'a time, e.g. 1s or 200ms')
        const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true
        const { watch } = await import('../run/watch.ts')
        return watch(context, { id: id ?? null, isOnce: options.once === true, intervalMs, isJson })
      }),
    )
}
