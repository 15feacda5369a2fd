import type { Command } from 'commander'
import { examples, gather, LIMIT_FLAG } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

interface LimitOptions {
  readonly limit?: readonly string[]
  readonly timeZone?: string
  readonly within?: string
}

/** `stint budget …`: lasting scopes, such as the daily budget of a team or a user. */
export function addBudget(program: Command, run: RunCommand): void {
  const budget = program
    .command('budget')
    .description('set and show the budgets of teams and users')
    .addHelpText('after', examples('stint budget set team:core --limit cost=100/day', 'stint budget list'))
  budget
    .command('set')
    .description('set limits of a budget, creating it if needed; without --limit, those of the config')
    .argument('[KEY]', 'its name, e.g. team:core or user:ann (default: every budget of the config)')
    .option(LIMIT_FLAG, 'a limit; can be repeated; cost=unlimited removes one', gather)
    .option('--time-zone <NAME>', 'the time zone of days, weeks and months')
    .option('--within <TEAM>', "the team's budget that a new budget belongs to, e.g. team:core")
    .addHelpText(
      'after',
      examples('stint budget set team:core --limit cost=100/day --time-zone Europe/Berlin', 'stint budget set'),
    )
    .action((key: string | undefined, options: LimitOptions, command: Command) =>
      run(command, async (context) => (await import('../commands/budget.ts')).setBudgets(context, key, options)),
    )
  budget
    .command('list')
    .description('list every budget and what is left of it')
    .addHelpText('after', examples('stint budget list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/budget.ts')).listBudgets(context)),
    )
  budget
    .command('show')
    .description('show one budget and the runs that spend from it')
    .argument('<KEY>', 'its name')
    .addHelpText('after', examples('stint budget show team:core'))
    .action((key: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/budget.ts')).showBudget(context, key)),
    )
  budget
    .command('raise')
    .description('change limits of an existing budget; the others stay as they are')
    .argument('<KEY>', 'its name')
    .requiredOption(LIMIT_FLAG, 'the new limit: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--time-zone <NAME>', 'the time zone of days, weeks and months')
    .addHelpText('after', examples('stint budget raise team:core --limit cost=150/day'))
    .action((key: string, options: LimitOptions, command: Command) =>
      run(command, async (context) => (await import('../commands/budget.ts')).raiseBudget(context, key, options)),
    )
}
