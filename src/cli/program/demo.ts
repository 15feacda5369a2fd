import type { Command } from 'commander'
import type { DemoFlags } from '../demo/run-demo.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint demo`: what limits do, without a key. */
export function addDemo(program: Command, run: RunCommand): void {
  program
    .command('demo')
    .description('play a looping agent and a fan-out against a small pool: no key, no network, in a few seconds')
    .option('--fast', 'without the time that models take')
    .option('--keep', 'leave the ledger and the artifacts to look at')
    .addHelpText('after', examples('stint demo', 'stint demo --fast --json'))
    .action((_flags: DemoFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../demo/run-demo.ts')).runDemo(context, command.optsWithGlobals<DemoFlags>()),
      ),
    )
}
