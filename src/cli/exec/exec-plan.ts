import { basename } from 'node:path'
import { assertScopeName, StintError } from '../../core/index.ts'
import { type LayerInput, type ResolvedLimits, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { type CallerOfRun, callerFrom } from '../flags/caller-from.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { type LimitFlags, layersFromFlags } from '../flags/layers-from-flags.ts'
import { leftOutOfConfig, leftOutOfNotices, sayLeftOut } from '../trust/left-out.ts'
import type { ExecDocument } from './exec-document.ts'

/** The flags of `stint exec`. */
export interface ExecFlags extends LimitFlags {
  readonly name?: string
  readonly within?: string
  readonly team?: string
  readonly user?: string
  readonly wrapUp: boolean
  readonly grace?: string
  readonly allowKey?: readonly string[]
  readonly json?: string | true
  readonly requireCalls?: boolean
}

/** What to run, and under which limits. */
export interface ExecPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly name: string
  /** What reports group by: the role, or else the program. */
  readonly agentType: string
  readonly layers: readonly LayerInput[]
  readonly resolved: ResolvedLimits
  /** The budget that pays; `null`: only the run's own. */
  readonly within: string | null
  /** Whose run it is. */
  readonly caller: CallerOfRun
  /** From the flags; inside another stint they are not ours to set. */
  readonly named: Pick<ExecFlags, 'team' | 'user'>
  readonly wrapUp: boolean
  readonly graceMs: number
  readonly allowedKeys: readonly string[]
  readonly jsonFile: string | null
  /** Whether a command that makes no calls has failed. */
  readonly requiresCalls: boolean
}

const DEFAULT_GRACE = '10s'

/** Reads the command line of `stint exec`. Throws with everything that is wrong with its limits. */
export function planExec(context: CommandContext, flags: ExecFlags): ExecPlan {
  const [command, ...args] = context.rest
  if (command === undefined || command === '') {
    const form = 'stint exec --limit cost=1 -- claude -p "fix the tests"'
    throw new StintError('invalid_option', `The command to run is missing. Write it after --, e.g. ${form}`)
  }
  const layers = [...context.config().layers, ...layersFromFlags(flags)]
  const resolved = resolveLimits(layers)
  sayLeftOut(context, [...leftOutOfConfig(context), ...leftOutOfNotices(resolved.notices)])
  return {
    command,
    args,
    name: nameOf(flags.name, command, args),
    agentType: flags.preset ?? nameOf(undefined, command, args),
    layers,
    resolved,
    within: flags.within ?? null,
    caller: callerFrom(context.config(), flags),
    named: {
      ...(flags.team === undefined ? {} : { team: flags.team }),
      ...(flags.user === undefined ? {} : { user: flags.user }),
    },
    wrapUp: flags.wrapUp,
    graceMs: durationFromText('--grace', flags.grace ?? DEFAULT_GRACE, 'a length of time, e.g. 10s'),
    allowedKeys: flags.allowKey ?? [],
    // Without a file name, JSON goes to standard output, as with every other command.
    jsonFile: typeof flags.json === 'string' ? flags.json : null,
    requiresCalls: flags.requireCalls ?? false,
  }
}

/** The plan of a resumed run: its limits are in the ledger. */
export function planAgain(document: ExecDocument, name: string): ExecPlan {
  const { command, args, graceMs, allowedKeys } = document
  const caller = { sharedLimits: { team: [], user: [] } }
  const none = {
    layers: [],
    resolved: resolveLimits([]),
    within: null,
    caller,
    named: {},
    wrapUp: true,
    jsonFile: null,
    requiresCalls: false,
  }
  return { command, args, name, agentType: name, graceMs, allowedKeys, ...none }
}

// They run what their arguments name: ten runs all called `node` would look the same.
const INTERPRETERS = /^(?:node|bun|deno|tsx|python[\d.]*|ruby|perl|npx|bunx|uv|timeout|env|nice|nohup)$/
const PLAIN_ARGUMENT = /^[A-Za-z./_@][\w./@-]*$/

/** The program that a command runs; for `node agent.mjs`, the script. */
function programOf(command: string, args: readonly string[]): string {
  const name = basename(command)
  if (!INTERPRETERS.test(name)) return name
  const script = args.find((arg) => PLAIN_ARGUMENT.test(arg) && !arg.includes('=') && !/^(?:run|x|-.*)$/.test(arg))
  return script === undefined ? name : basename(script)
}

function nameOf(written: string | undefined, command: string, args: readonly string[]): string {
  const name = written ?? programOf(command, args)
  try {
    assertScopeName(name)
    return name
  } catch (error) {
    if (written !== undefined) throw error
    // A program can have any name.
    return 'exec'
  }
}
