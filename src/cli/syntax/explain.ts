import type { Command } from 'commander'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint explain [ID]`: every effective limit with its layer, file and line. */
export function addExplain(program: Command, run: RunCommand): void {
  program
    .command('explain')
    .description('show where each limit of a scope comes from; without ID, the limits of runs started here')
    .argument('[ID]', SCOPE_ARGUMENT)
    .addHelpText('after', examples('stint explain team:core/triage', 'stint explain'))
    .action((id: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) => {
        const { explain, explainConfig } = await import('../commands/explain.ts')
        return id === undefined ? explainConfig(context) : explain(context, id)
      }),
    )
}
