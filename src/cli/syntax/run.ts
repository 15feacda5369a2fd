import type { Command } from 'commander'
import type { RunFlags } from '../flags/run-flags.ts'
import { ASK_ABOVE_FLAG, ASK_ABOVE_HELP, examples, gather, LIMIT_FLAG } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint run AGENT TASK`: an agent from a Markdown file, under limits. */
export function addRun(program: Command, run: RunCommand): void {
  program
    .command('run')
    .description('run an agent from a Markdown file under limits; prints its answer')
    .argument('<AGENT>', 'the name of an agent; `stint agents list` shows them')
    .argument('<TASK>', 'the task; - reads it from standard input, @FILE from a file')
    .option(LIMIT_FLAG, 'a limit of the run: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--time-zone <NAME>', 'the time zone of the periods')
    .option('--timeout <DURATION>', 'the maximum time from start to end, including pauses and waiting')
    .option('--preset <ROLE>', "the limits of a role instead of the agent's own role")
    .option('--on-limit <ACTION>', 'what limits without an action do: terminate, pause, ask or warn')
    .option(ASK_ABOVE_FLAG, ASK_ABOVE_HELP, gather)
    .option('--model <MODEL>', 'the model, e.g. anthropic/claude-sonnet-4-5, or a short name from the config')
    .option('--base-url <URL>', "an address for requests instead of the provider's own")
    .option('--name <NAME>', "the name of the run (default: the agent's)")
    .option('--within <BUDGET>', 'the budget that pays, e.g. team:core')
    .option('--team <NAME>', 'your team: its budget team:NAME pays too (default: from your config)')
    .option('--user <NAME>', 'you: the budget user:NAME pays too (default: from your config)')
    .option('--no-wrap-up', 'no closing answer at a limit')
    .option('--tools <NAMES>', "the tools it can use instead of the agent's own, e.g. read,grep")
    .option('--read <FILE>', 'a file to include with the task; can be repeated', gather)
    .option('--output <FILE>', 'a file for the answer')
    .option('--acceptance <FILE>', 'when the work counts as done: a contract in a file, or as JSON')
    .option('--no-acceptance', 'the work counts as done when the agent says so, whatever its file asks for')
    .option('--background', 'return once it has started; it continues without this terminal')
    .option('--id <ID>', 'the id of the task (default: generated)')
    .addHelpText(
      'after',
      examples(
        'stint run developer "add a --json flag" --limit cost=1 --limit turns=25',
        'stint run explore "what does this project do?" --limit turns=5 --json',
        'git diff | stint run code-reviewer - --background',
      ),
    )
    .action((agent: string, task: string, flags: RunFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/run.ts')).runAgentTask(context, agent, task, flags, command),
      ),
    )
}
