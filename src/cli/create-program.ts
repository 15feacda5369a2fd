import { Command } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { addAnswers } from './commands/answer.ts'
import { addAssumed } from './commands/assumed.ts'
import { addBudget } from './commands/budget.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExplain } from './commands/explain.ts'
import { examples } from './commands/help-text.ts'
import { addPause } from './commands/pause.ts'
import { addPrune } from './commands/prune.ts'
import { addRaise } from './commands/raise.ts'
import { addRequests } from './commands/requests.ts'
import { addResume } from './commands/resume.ts'
import { addShow } from './commands/show.ts'
import { addStatus } from './commands/status.ts'
import { addStop } from './commands/stop.ts'
import { addVerify } from './commands/verify.ts'
import type { RunCommand } from './run-command.ts'

const COMMANDS = [
  addStatus,
  addShow,
  addExplain,
  addBudget,
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
] as const

/** The command line as a tree of commands. Unknown flags and commands are refused, with what was probably meant. */
export function createProgram(
  run: RunCommand,
  output: { out(text: string): void; error(text: string): void },
): Command {
  const program = new Command('stint')
    .description('Execution limits and budgets for AI agents: a budget that every agent can see and cannot exceed.')
    .version(packageFile.version, '--version', 'show the version')
    .option('--store <ADDRESS>', 'the ledger: sqlite:PATH, or memory: to try things out')
    .option('--config <FILE>', 'a config to read instead of the one that is found')
    .option('--by <NAME>', 'who is written down as having done it (default: your user name)')
    .option('--json', 'answer with JSON')
    .option('--no-color', 'answer without colours')
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.error })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .addHelpText(
      'after',
      `${examples('stint budget set team:core --limit cost=100/day', 'stint status')}\n\nstint COMMAND --help tells more.`,
    )
  for (const add of COMMANDS) add(program, run)
  return program
}
