import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint tasks`: every run of an agent, here and in the background. */
export function addTasks(program: Command, run: RunCommand): void {
  program
    .command('tasks')
    .description('show the runs of agents: those that are open, and the newest of those that have ended')
    .option('--all', 'all that have ended')
    .addHelpText('after', examples('stint tasks', 'stint tasks --all --json'))
    .action((options: { all?: boolean }, command: Command) =>
      run(command, async (context) => (await import('../commands/tasks.ts')).showTasks(context, options.all === true)),
    )
}
