import type { Command } from 'commander'
import type { ParallelFlags } from '../group/group-flags.ts'
import { addGroupOptions } from './group-options.ts'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint parallel "AGENT: TASK"…`: agents in parallel on one budget. */
export function addParallel(program: Command, run: RunCommand): void {
  const parallel = program
    .command('parallel')
    .description('run several agents in parallel under shared limits; prints their answers')
    .argument(
      '<TASKS...>',
      'an agent and its task, e.g. "explore: map the tests"; AGENT: @FILE reads the task from a file',
    )
  addGroupOptions(parallel)
    .option('--count <N>', 'how many agents to start for each task (default: 1)')
    .option('--fail-fast', 'end the others when the first agent does not complete')
    .option('--acceptance <FILE>', 'when the work of each counts as done: a contract in a file, or as JSON')
    .option('--no-acceptance', 'the work counts as done when an agent says so, whatever its file asks for')
    .option('--worktree', 'give each agent its own git worktree')
    .addHelpText(
      'after',
      examples(
        'stint parallel "explore: map the tests" "explore: map the docs" --limit tokens=50k',
        'stint parallel "code-reviewer: look at the last commit" --count 3 --share equal --limit cost=2',
      ),
    )
    .action((tasks: readonly string[], flags: ParallelFlags, command: Command) =>
      run(command, async (context) => {
        const { runParallel } = await import('../commands/group.ts')
        return runParallel(context, tasks, flags, command)
      }),
    )
}
