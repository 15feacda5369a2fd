import type { Command } from 'commander'
import type { LogFlags } from '../commands/log.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint log [ID]`: what happened, in order. */
export function addLog(program: Command, run: RunCommand): void {
  program
    .command('log')
    .description('show what happened: calls, limits, pauses, requests, whichever process did it')
    .argument('[ID]', `${SCOPE_ARGUMENT}; without it, the whole ledger`)
    .option('--follow', 'continue with what happens from now on, until the scope has ended')
    .option('--since <DURATION>', 'how far back, e.g. 1h or 7d (default: everything of a scope, 1h of the ledger)')
    .option('--alerts', 'only alerts')
    .addHelpText(
      'after',
      examples(
        'stint log --since 1d',
        'stint log --alerts --since 7d',
        'stint log 3f2a --follow',
        'stint log --follow --json',
      ),
    )
    .action((id: string | undefined, options: LogFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/log.ts')).showLog(context, id ?? null, options)),
    )
}
