import { Command } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { addAgents } from './commands/agents.ts'
import { addAnswers } from './commands/answer.ts'
import { addAssumed } from './commands/assumed.ts'
import { addBudget } from './commands/budget.ts'
import { addDemo } from './commands/demo.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExec } from './commands/exec.ts'
import { addExplain } from './commands/explain.ts'
import { examples } from './commands/help-text.ts'
import { addInterrupt } from './commands/interrupt.ts'
import { addKeys } from './commands/keys.ts'
import { addPause } from './commands/pause.ts'
import { addPrune } from './commands/prune.ts'
import { addRaise } from './commands/raise.ts'
import { addRequests } from './commands/requests.ts'
import { addResume } from './commands/resume.ts'
import { addRun } from './commands/run.ts'
import { addServe } from './commands/serve.ts'
import { addShow } from './commands/show.ts'
import { addStatus } from './commands/status.ts'
import { addStop } from './commands/stop.ts'
import { addTasks } from './commands/tasks.ts'
import { addVerify } from './commands/verify.ts'
import { addWatch } from './commands/watch.ts'
import type { RunCommand } from './run-command.ts'

const COMMANDS = [
  addRun,
  addExec,
  addTasks,
  addWatch,
  addInterrupt,
  addAgents,
  addStatus,
  addShow,
  addExplain,
  addBudget,
  addKeys,
  addServe,
  addPause,
  addResume,
  addStop,
  addRaise,
  addRequests,
  addAnswers,
  addAssumed,
  addVerify,
  addPrune,
  addDoctor,
  addDemo,
] as const

const EXAMPLES = [
  'stint run developer "add a --json flag" --limit cost=1',
  'stint exec --limit cost=1 --limit time=10m -- claude -p "fix the tests"',
  'stint budget set team:core --limit cost=100/day',
  'stint status',
] as const

/** The command line as a tree of commands. Unknown flags and commands are refused, with what was probably meant. */
export function createProgram(
  run: RunCommand,
  output: { out(text: string): void; error(text: string): void },
  { hasJsonFlag = true }: { readonly hasJsonFlag?: boolean } = {},
): Command {
  const program = new Command('stint')
    .description('Execution limits and budgets for AI agents: a budget that every agent can see and cannot exceed.')
    .version(packageFile.version, '--version', 'show the version')
    .option('--store <ADDRESS>', 'the ledger: sqlite:PATH, or memory: to try things out')
    .option('--config <FILE>', 'a config to read instead of the one that is found')
    .option('--by <NAME>', 'who is written down as having done it (default: your user name)')
    .option('--no-color', 'answer without colours')
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.error })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .addHelpText('after', `${examples(...EXAMPLES)}\n\nstint COMMAND --help tells more.`)
  // The program takes its own flags wherever they stand, so that `exec`, whose --json names a file, has to do without.
  if (hasJsonFlag) program.option('--json', 'answer with JSON')
  for (const add of COMMANDS) add(program, run)
  return program
}
