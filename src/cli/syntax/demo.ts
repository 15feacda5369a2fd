import type { Command } from 'commander'
import type { DemoFlags } from '../demo/run-demo.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint demo`: what limits do, without a key. */
export function addDemo(program: Command, run: RunCommand): void {
  program
    .command('demo')
    .description('run a looping agent and a fan-out on a small budget: no key, no network, a few seconds')
    .option('--fast', 'skip the delays of the models')
    .option('--keep', 'keep the ledger and the artifacts')
    .addHelpText('after', examples('stint demo', 'stint demo --fast --json'))
    .action((_flags: DemoFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../demo/run-demo.ts')).runDemo(context, command.optsWithGlobals<DemoFlags>()),
      ),
    )
}
