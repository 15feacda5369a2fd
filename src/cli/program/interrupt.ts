import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint interrupt ID`: calls a task off softly, wherever it runs. */
export function addInterrupt(program: Command, run: RunCommand): void {
  program
    .command('interrupt')
    .description('call a running task off, wherever it runs, and get what it has so far')
    .argument('<ID>', 'its id, the beginning of it, or its path')
    .option('--no-wait', 'do not wait until its process has handed over what it has')
    .addHelpText('after', examples('stint interrupt 3f2a', 'stint interrupt 3f2a --json'))
    .action((id: string, flags: { wait: boolean }, command: Command) =>
      run(command, async (context) => (await import('../commands/interrupt.ts')).interrupt(context, id, flags)),
    )
}
