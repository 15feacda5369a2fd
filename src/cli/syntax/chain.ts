import type { Command } from 'commander'
import type { GroupFlags } from '../group/group-flags.ts'
import { addGroupOptions } from './group-options.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

const CHAIN = 'the name of a chain, or a file: FILE.chain.yaml, .chain.json or .chain.md'

/** `stint chain CHAIN TASK`: agents in sequence, some of them in parallel. */
export function addChain(program: Command, run: RunCommand): void {
  const chain = program
    .command('chain')
    .description('run the steps of a chain under shared limits; prints the last answer')
    .argument('<CHAIN>', `${CHAIN}; \`stint chains list\` shows them`)
    .argument('<TASK>', 'the task; - reads it from standard input, @FILE from a file')
  addGroupOptions(chain)
    .addHelpText('after', examples('stint chain examples/review.chain.yaml "the current diff" --limit cost=2'))
    .action((name: string, task: string, flags: GroupFlags, command: Command) =>
      run(command, async (context) => {
        const { runChain } = await import('../commands/group.ts')
        return runChain(context, name, task, flags, command)
      }),
    )
}

/** `stint chains …`: the files that define chains. */
export function addChains(program: Command, run: RunCommand): void {
  const chains = program
    .command('chains')
    .description('list and check chains')
    .addHelpText('after', examples('stint chains list', 'stint chains validate'))
  chains
    .command('list')
    .description('list every chain available here, and where it comes from')
    .addHelpText('after', examples('stint chains list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => {
        const { listChains } = await import('../commands/chains.ts')
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
        const { getChain } = await import('../commands/chains.ts')
        return getChain(context, name)
      }),
    )
  chains
    .command('validate')
    .description('check chains and their agents; exits with 1 if there are problems')
    .argument('[CHAIN]', `${CHAIN} (default: every chain available here)`)
    .addHelpText('after', examples('stint chains validate', 'stint chains validate examples/review.chain.yaml'))
    .action((name: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) => {
        const { validateChains } = await import('../commands/chains.ts')
        return validateChains(context, name)
      }),
    )
}
