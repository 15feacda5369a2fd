import type { Command } from 'commander'
import type { GroupFlags } from '../group/group-flags.ts'
import { addGroupOptions } from './group-options.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

const CHAIN = 'the name of a chain, or a file: FILE.chain.yaml, .chain.json or .chain.md'

/** `stint chain CHAIN TASK`: agents one after the other, and some at once. */
export function addChain(program: Command, run: RunCommand): void {
  const chain = program
    .command('chain')
    .description('run the steps of a chain under limits that they share; its last answer is on standard output')
    .argument('<CHAIN>', `${CHAIN}; \`stint chains list\` shows them`)
    .argument('<TASK>', 'what it is to do; - reads it from standard input, @FILE from a file')
  addGroupOptions(chain)
    .addHelpText('after', examples('stint chain examples/review.chain.yaml "the current diff" --limit cost=2'))
    .action((name: string, task: string, flags: GroupFlags, command: Command) =>
      run(command, async (context) => {
        const { runChain } = await import('../commands/group.ts')
        return runChain(context, name, task, flags, command)
      }),
    )
}

/** `stint chains …`: the files that say which agents follow each other. */
export function addChains(program: Command, run: RunCommand): void {
  const chains = program
    .command('chains')
    .description('look at and check the chains that can be run')
    .addHelpText('after', examples('stint chains list', 'stint chains validate'))
  chains
    .command('list')
    .description('show every chain that can be run from here, and where it comes from')
    .addHelpText('after', examples('stint chains list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => {
        const { listChains } = await import('../commands/chains-actions.ts')
        return listChains(context)
      }),
    )
  chains
    .command('get')
    .description('show the steps of a chain')
    .argument('<CHAIN>', CHAIN)
    .addHelpText('after', examples('stint chains get review'))
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => {
        const { getChain } = await import('../commands/chains-actions.ts')
        return getChain(context, name)
      }),
    )
  chains
    .command('validate')
    .description('check chains and the agents that they name; exits with 1 if any of them cannot be run')
    .argument('[CHAIN]', `${CHAIN} (default: all that are found from here)`)
    .addHelpText('after', examples('stint chains validate', 'stint chains validate examples/review.chain.yaml'))
    .action((name: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) => {
        const { validateChains } = await import('../commands/chains-actions.ts')
        return validateChains(context, name)
      }),
    )
}
