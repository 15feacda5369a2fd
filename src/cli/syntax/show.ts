import type { Command } from 'commander'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint show ID`: everything about one scope and the scopes above it. */
export function addShow(program: Command, run: RunCommand): void {
  program
    .command('show')
    .description('show everything about one scope: limits, counters, reservations, requests, and the result of a task')
    .argument('<ID>', SCOPE_ARGUMENT)
    .addHelpText('after', examples('stint show team:core/triage', 'stint show 3f2a --json'))
    .action((id: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/show.ts')).showScope(context, id)),
    )
}
