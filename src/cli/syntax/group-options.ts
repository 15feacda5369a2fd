import type { Command } from 'commander'
import { ASK_ABOVE_FLAG, ASK_ABOVE_HELP, gather, LIMIT_FLAG } from './help-text.ts'

/** The flags of every command that runs several agents. */
export function addGroupOptions(command: Command): Command {
  return command
    .option(LIMIT_FLAG, 'a limit for all of them together: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--time-zone <NAME>', 'the time zone of the periods')
    .option('--timeout <DURATION>', 'the maximum time from start to end, including pauses and waiting')
    .option('--on-limit <ACTION>', 'what limits without an action do: terminate, pause, ask or warn')
    .option('--concurrency <N>', 'how many agents run at once (default: 4)')
    .option('--share <SHARE>', 'the share of each agent: equal, or KEY=VALUE, e.g. tokens=20k; can be repeated', gather)
    .option(ASK_ABOVE_FLAG, ASK_ABOVE_HELP, gather)
    .option('--model <MODEL>', 'the model of agents that name none')
    .option('--base-url <URL>', "an address for requests instead of the provider's own")
    .option('--name <NAME>', 'the name of the group')
    .option('--within <BUDGET>', 'the budget that pays, e.g. team:core')
    .option('--team <NAME>', 'your team: its budget team:NAME pays too (default: from your config)')
    .option('--user <NAME>', 'you: the budget user:NAME pays too (default: from your config)')
    .option('--no-wrap-up', 'no closing answers at a limit')
    .option('--background', 'return once it has started; it continues without this terminal')
    .option('--id <ID>', 'the id of the group (default: generated)')
}
