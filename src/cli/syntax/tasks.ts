import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint tasks`: every run of an agent, here and in the background. */
export function addTasks(program: Command, run: RunCommand): void {
  program
    .command('tasks')
    .description('list agent runs: the open ones, and the newest that have ended')
    .option('--all', 'list all that have ended')
    .addHelpText('after', examples('stint tasks', 'stint tasks --all --json'))
    .action((options: { all?: boolean }, command: Command) =>
      run(command, async (context) => (await import('../commands/tasks.ts')).showTasks(context, options.all === true)),
    )
}
