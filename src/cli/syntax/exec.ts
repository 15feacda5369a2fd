import type { Command } from 'commander'
import type { ExecFlags } from '../exec/exec-plan.ts'
import { examples, gather, LIMIT_FLAG } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint exec [limits] -- COMMAND…`: `ulimit` for agents. */
export function addExec(program: Command, run: RunCommand): void {
  program
    .command('exec')
    .usage('[options] -- COMMAND [ARGUMENT…]')
    .description('run any agent program under limits, unchanged')
    .option(LIMIT_FLAG, 'a limit of the run: KEY=VALUE[/PERIOD][:ACTION]; can be repeated', gather)
    .option('--time-zone <NAME>', 'the time zone of the periods')
    .option('--timeout <DURATION>', 'the maximum time from start to end, including pauses and waiting')
    .option('--preset <ROLE>', 'the limits of a role, which --limit overrides')
    .option('--on-limit <ACTION>', 'what limits without an action do: terminate, pause, ask or warn')
    .option('--name <NAME>', 'the name of the run (default: the program)')
    .option('--within <BUDGET>', 'the budget that pays, e.g. team:core')
    .option('--team <NAME>', 'your team: its budget team:NAME pays too (default: from your config)')
    .option('--user <NAME>', 'you: the budget user:NAME pays too (default: from your config)')
    .option('--no-wrap-up', 'no closing answer at a limit')
    .option('--grace <DURATION>', 'how long ending the command may take (default: 10s)')
    .option('--allow-key <NAME>', 'a variable with a provider key that the command may keep', gather)
    .option('--require-calls', 'exit with 125 if no model call of the command went through Stint')
    .option('--json [FILE]', 'write a report as JSON: to a file, or to standard output (-, the default)')
    .addHelpText(
      'after',
      examples(
        'stint exec --limit cost=1 --limit turns=25 --limit time=10m -- claude -p "fix the tests"',
        'stint exec --preset qa --within team:core --json report.json -- node any-agent.mjs',
      ),
    )
    .action((flags: ExecFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/exec.ts')).exec(context, flags)),
    )
}
