import type { Command } from 'commander'
import type { GroupFlags } from '../group/group-flags.ts'
import { ASK_ABOVE_FLAG, ASK_ABOVE_HELP, examples, gather, LIMIT_FLAG } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint plan …`: the worst case of a chain or a fan-out, before anything runs. */
export function addPlan(program: Command, run: RunCommand): void {
  program
    .command('plan')
    .description(
      'show the steps, agents and worst case of a chain or of tasks, and whether they fit the limits; starts nothing',
    )
    .argument('<WORK...>', 'a chain (its name or file) and its task, or "AGENT: TASK" for each agent')
    .option(LIMIT_FLAG, 'a limit to try: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--concurrency <N>', 'how many agents run at once (default: 4)')
    .option('--share <SHARE>', 'the share of each agent: equal, or KEY=VALUE, e.g. tokens=20k', gather)
    .option(ASK_ABOVE_FLAG, ASK_ABOVE_HELP, gather)
    .option('--model <MODEL>', 'the model of agents that name none')
    .addHelpText(
      'after',
      examples(
        'stint plan examples/review.chain.yaml "the current diff" --limit cost=2',
        'stint plan "explore: map the tests" "explore: map the docs" --limit tokens=50k',
      ),
    )
    .action((work: readonly string[], flags: Omit<GroupFlags, 'wrapUp'>, command: Command) =>
      run(command, async (context) => {
        const { planWork } = await import('../commands/plan.ts')
        return planWork(context, work, { ...flags, wrapUp: true })
      }),
    )
}
