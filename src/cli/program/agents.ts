import type { Command } from 'commander'
import type { ChangeFlags } from '../agents/changes-from-flags.ts'
import type { WhoseFlag } from '../commands/agents.ts'
import { examples, gather } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

const NAME = 'the name of the agent'
const USER_FLAG = ['--user', 'in your own ~/.stint/agents instead of the project’s .stint/agents'] as const
const SET_FLAG = [
  '--set <FIELD=VALUE>',
  'what a field is to be, e.g. model=haiku or limits.cost=1; may be repeated',
] as const
const PROMPT_FLAG = ['--prompt-file <FILE>', 'a file with the prompt; - for standard input'] as const

/** `stint agents …`: the files that say how agents behave. */
export function addAgents(program: Command, run: RunCommand): void {
  const agents = program
    .command('agents')
    .description('look at, check and change the agents that can be run')
    .addHelpText('after', examples('stint agents list', 'stint agents validate'))
  agents
    .command('list')
    .description('show every agent that can be run from here, and where it comes from')
    .addHelpText('after', examples('stint agents list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).listAgents(context)),
    )
  agents
    .command('get')
    .description('show an agent: its fields, the limits of its runs, its prompt')
    .argument('<NAME>', NAME)
    .addHelpText('after', examples('stint agents get developer'))
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).getAgent(context, name)),
    )
  agents
    .command('create')
    .description('make an agent; one with the name of a built-in agent begins as a copy of it')
    .argument('<NAME>', NAME)
    .option(...USER_FLAG)
    .option(...SET_FLAG, gather)
    .option(...PROMPT_FLAG)
    .addHelpText(
      'after',
      examples('stint agents create triage --set model=haiku --set limits.cost=0.5 --prompt-file triage.txt'),
    )
    .action((name: string, flags: WhoseFlag & ChangeFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).addAgent(context, name, flags)),
    )
  agents
    .command('update')
    .description('change fields or the prompt of an agent; everything else in its file stays as it is')
    .argument('<NAME>', NAME)
    .option(...USER_FLAG)
    .option(...SET_FLAG, gather)
    .option('--unset <FIELD>', 'a field to take out; may be repeated', gather)
    .option(...PROMPT_FLAG)
    .addHelpText('after', examples('stint agents update triage --set limits.turns=10 --unset model'))
    .action((name: string, flags: WhoseFlag & ChangeFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).changeAgent(context, name, flags)),
    )
  agents
    .command('delete')
    .description('delete the file of an agent')
    .argument('<NAME>', NAME)
    .option(...USER_FLAG)
    .addHelpText('after', examples('stint agents delete triage'))
    .action((name: string, flags: WhoseFlag, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).removeAgent(context, name, flags)),
    )
  agents
    .command('validate')
    .description('read every agent and list what is wrong, with file and line; ends with 1 if something is')
    .addHelpText('after', examples('stint agents validate --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).validateAgents(context)),
    )
}
