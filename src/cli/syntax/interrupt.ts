import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint interrupt ID`: ends a task gracefully, wherever it runs. */
export function addInterrupt(program: Command, run: RunCommand): void {
  program
    .command('interrupt')
    .description('end a running task, wherever it runs, and print what it has so far')
    .argument('<ID>', 'the task: its id, the beginning of its id, or its path')
    .option('--no-wait', 'do not wait for its process to deliver its result')
    .addHelpText('after', examples('stint interrupt 3f2a', 'stint interrupt 3f2a --json'))
    .action((id: string, flags: { wait: boolean }, command: Command) =>
      run(command, async (context) => (await import('../commands/interrupt.ts')).interrupt(context, id, flags)),
    )
}
