import type { Command } from 'commander'
import type { ChangeFlags } from '../agents/changes-from-flags.ts'
import type { WhoseFlag } from '../commands/agents.ts'
import { examples, gather } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

const NAME = 'the name of the agent'
const USER_FLAG = ['--user', 'in your own ~/.stint/agents instead of the project’s .stint/agents'] as const
const SET_FLAG = [
  '--set <FIELD=VALUE>',
  'a field and its new value, e.g. model=haiku or limits.cost=1; can be repeated',
] as const
const PROMPT_FLAG = ['--prompt-file <FILE>', 'a file with the prompt; - for standard input'] as const

/** `stint agents …`: the files that define agents. */
export function addAgents(program: Command, run: RunCommand): void {
  const agents = program
    .command('agents')
    .description('list, check and change agents')
    .addHelpText('after', examples('stint agents list', 'stint agents validate'))
  agents
    .command('list')
    .description('list every agent available here, and where it comes from')
    .addHelpText('after', examples('stint agents list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).listAgents(context)),
    )
  agents
    .command('get')
    .description('show an agent: its fields, limits and prompt')
    .argument('<NAME>', NAME)
    .addHelpText('after', examples('stint agents get developer'))
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).getAgent(context, name)),
    )
  agents
    .command('create')
    .description('create an agent; with the name of a built-in agent, as a copy of it')
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
    .description('change fields or the prompt of an agent; the rest of its file is unchanged')
    .argument('<NAME>', NAME)
    .option(...USER_FLAG)
    .option(...SET_FLAG, gather)
    .option('--unset <FIELD>', 'a field to remove; can be repeated', gather)
    .option(...PROMPT_FLAG)
    .addHelpText('after', examples('stint agents update triage --set limits.turns=10 --unset model'))
    .action((name: string, flags: WhoseFlag & ChangeFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).changeAgent(context, name, flags)),
    )
  agents
    .command('delete')
    .description('delete an agent file')
    .argument('<NAME>', NAME)
    .option(...USER_FLAG)
    .addHelpText('after', examples('stint agents delete triage'))
    .action((name: string, flags: WhoseFlag, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).removeAgent(context, name, flags)),
    )
  agents
    .command('validate')
    .description('check every agent and list problems with file and line; exits with 1 if there are any')
    .addHelpText('after', examples('stint agents validate --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/agents.ts')).validateAgents(context)),
    )
}
