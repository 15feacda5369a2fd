import type { Command } from 'commander'
import { gather, LIMIT_FLAG } from './help-text.ts'

/** The flags that every command has which runs several agents. */
export function addGroupOptions(command: Command): Command {
  return command
    .option(
      LIMIT_FLAG,
      'a limit of all of them together: KEY=VALUE[/PERIOD][:ACTION]; may be given several times',
      gather,
    )
    .option('--time-zone <NAME>', 'the time zone of the periods')
    .option('--timeout <DURATION>', 'the longest time from start to end, pauses and waiting included')
    .option('--on-limit <ACTION>', 'what the limits do that name no action: terminate, pause, ask or warn')
    .option('--concurrency <N>', 'how many agents run at once (default: 4)')
    .option(
      '--share <SHARE>',
      'what each agent may have: equal, or KEY=VALUE, e.g. tokens=20k; may be given several times',
      gather,
    )
    .option('--model <MODEL>', 'the model of those that name none')
    .option('--base-url <URL>', "where the models' requests go instead of their provider's own address")
    .option('--name <NAME>', 'the name of the group')
    .option('--within <BUDGET>', 'the budget that pays, e.g. team:core')
    .option('--team <NAME>', 'your team: its budget team:NAME pays too (default: that of your config)')
    .option('--user <NAME>', 'you: the budget user:NAME pays too (default: that of your config)')
    .option('--no-wrap-up', 'no closing answers at a limit')
    .option('--background', 'return when it is under way; it goes on without this terminal')
    .option('--id <ID>', 'the id of the group (default: made up)')
}
