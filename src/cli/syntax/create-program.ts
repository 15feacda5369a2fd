import { Command } from 'commander'
import packageFile from '../../../package.json' with { type: 'json' }
import { addAgents } from './agents.ts'
import { addAnswers } from './answer.ts'
import { addAssumed } from './assumed.ts'
import { addBudget } from './budget.ts'
import { addChain, addChains } from './chain.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addExec } from './exec.ts'
import { addExplain } from './explain.ts'
import { examples, usageError, usageHint } from './help-text.ts'
import { addHistory } from './history.ts'
import { addInterrupt } from './interrupt.ts'
import { addKeys } from './keys.ts'
import { addLedger } from './ledger.ts'
import { addLimits } from './limits.ts'
import { addLog } from './log.ts'
import { addParallel } from './parallel.ts'
import { addPause } from './pause.ts'
import { addPlan } from './plan.ts'
import { addPrune } from './prune.ts'
import { addRaise } from './raise.ts'
import { addReport } from './report.ts'
import { addRequests } from './requests.ts'
import { addResume } from './resume.ts'
import { addRun } from './run.ts'
import type { RunCommand } from './run-command.ts'
import { addServe } from './serve.ts'
import { addShow } from './show.ts'
import { addStatus } from './status.ts'
import { addStop } from './stop.ts'
import { addTasks } from './tasks.ts'
import { addTrust } from './trust.ts'
import { addVerify } from './verify.ts'
import { addWatch } from './watch.ts'

type AddCommand = (program: Command, run: RunCommand) => void

/** The commands under the headings of `stint --help`. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, AddCommand>>>> = {
  'Run agents:': {
    run: addRun,
    parallel: addParallel,
    chain: addChain,
    plan: addPlan,
    exec: addExec,
    agents: addAgents,
    chains: addChains,
    demo: addDemo,
  },
  'See what they do and what it costs:': {
    status: addStatus,
    show: addShow,
    watch: addWatch,
    tasks: addTasks,
    log: addLog,
    history: addHistory,
    report: addReport,
    explain: addExplain,
  },
  'Steer them:': {
    pause: addPause,
    resume: addResume,
    interrupt: addInterrupt,
    stop: addStop,
    raise: addRaise,
    requests: addRequests,
    approve: addAnswers,
    deny: addAnswers,
  },
  'Set budgets, limits and access:': {
    budget: addBudget,
    limits: addLimits,
    keys: addKeys,
    serve: addServe,
    trust: addTrust,
  },
  'Look after the ledger:': {
    assumed: addAssumed,
    verify: addVerify,
    prune: addPrune,
    ledger: addLedger,
    doctor: addDoctor,
  },
}

const EXAMPLES = [
  'stint run developer "add a --json flag" --limit cost=1',
  'stint exec --limit cost=1 --limit time=10m -- claude -p "fix the tests"',
  'stint budget set team:core --limit cost=100/day',
  'stint status',
] as const

export interface ProgramOptions {
  readonly hasJsonFlag?: boolean
  readonly hasByFlag?: boolean
  /** The one command to set up: setting up all of them takes longer than most take to run. */
  readonly only?: string | null
}

/** The command line as a tree of commands. Unknown flags and commands are refused, with a suggestion. */
export function createProgram(
  run: RunCommand,
  output: { out(text: string): void; error(text: string): void; columns(): number },
  { hasJsonFlag = true, hasByFlag = true, only = null }: ProgramOptions = {},
): Command {
  const program = new Command('stint')
    .description('Execution limits and budgets for AI agents: a budget that every agent can see and cannot exceed.')
    .version(packageFile.version, '--version', 'show the version')
    .option('--store <ADDRESS>', 'the ledger: sqlite:PATH, postgres://…, or memory: to try things out')
    .option('--config <FILE>', 'a config file to use instead of the one that is found')
    .option('--trust', 'trust the files of this folder, for this command only; see `stint trust`')
    .option('--no-color', 'disable colours')
    .exitOverride()
    .configureOutput({
      writeOut: output.out,
      writeErr: output.error,
      getOutHelpWidth: output.columns,
      getErrHelpWidth: output.columns,
      // The prefix of all our errors.
      outputError: (text, write) => write(`stint: ${usageError(text)}`),
    })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 })
    .helpCommand(false)
    .addHelpText('after', `${examples(...EXAMPLES)}\n\nstint COMMAND --help shows more.`)
  // The program takes its own flags in any position. `exec`, whose --json names a file, has its own, and so has `report`,
  // which writes nothing and whose --by is what it groups by.
  if (hasByFlag) program.option('--by <NAME>', 'the name to record in the journal (default: your user name)')
  if (hasJsonFlag) program.option('--json', 'print JSON')
  addCommands(program, run, only)
  addUsageHints(program)
  return program
}

function addCommands(program: Command, run: RunCommand, only: string | null): void {
  const owner = Object.values(GROUPS).find((commands) => only !== null && Object.hasOwn(commands, only))
  if (owner !== undefined) {
    owner[only!]!(program, run)
    return
  }
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading)
    for (const add of new Set(Object.values(commands))) add(program, run)
  }
}

function addUsageHints(command: Command): void {
  command.showHelpAfterError(usageHint(command))
  for (const each of command.commands) addUsageHints(each)
}
