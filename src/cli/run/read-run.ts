import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AcceptanceInput, type Agent, agentNamed } from '../../agents/index.ts'
import { assertScopeName, InvalidOptionError } from '../../core/index.ts'
import { type LayerInput, type ParsedLimits, resolveLimits } from '../../policy/index.ts'
import { timeOrderedIds } from '../../system/index.ts'
import { agentsHere } from '../agents/agents-here.ts'
import type { CommandContext } from '../command-context.ts'
import { askAboveFrom } from '../flags/ask-above-from-flags.ts'
import { layersFromFlags } from '../flags/layers-from-flags.ts'
import type { RunFlags } from '../flags/run-flags.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { leftOutOfAgent } from '../trust/left-out-of-agent.ts'
import { acceptanceFrom } from './acceptance-flag.ts'
import { readTask } from './read-task.ts'
import { refuseUnpriced } from './refuse-unpriced.ts'

/** What to run and how, checked as far as possible before a ledger is opened. */
export interface AgentCommand {
  readonly id: string
  readonly agent: Agent
  readonly task: string
  readonly layers: readonly LayerInput[]
  readonly askAbove: readonly ParsedLimits[]
  readonly flags: RunFlags
  readonly tools: readonly string[] | null
  readonly acceptance: AcceptanceInput | false | undefined
}

/** Reads the command line of `stint run`. */
export async function readRun(
  context: CommandContext,
  name: string,
  written: string,
  flags: RunFlags,
): Promise<AgentCommand> {
  const { platform } = context
  const { preset, ...limits } = flags
  // A timeout ends the run, whatever its other limits do.
  const layers = [...context.config().layers, ...layersFromFlags({ ...limits, timeoutAction: 'terminate' })]
  // A preset takes the place of the agent's own role, below what its file says.
  if (preset !== undefined) layersFromFlags({ preset })
  resolveLimits(layers)
  const askAbove = askAboveFrom(context, flags.askAbove)
  if (flags.name !== undefined) assertScopeName(flags.name)
  const found = agentsHere(context)
  const agent = agentNamed(found, name)
  sayLeftOut(context, [...leftOutOfConfig(context), ...leftOutOfAgent(found, agent, layers)])
  for (const file of flags.read ?? []) refuseMissing(platform.workingFolder, file)
  refuseUnpriced(context, agent, layers, flags.model ?? null)
  return {
    id: flags.id ?? timeOrderedIds({ wallMs: () => platform.nowMs() })(),
    agent: preset === undefined ? agent : { ...agent, preset },
    task: await readTask(platform, written),
    layers,
    askAbove,
    flags,
    tools: flags.tools === undefined ? null : toolsOf(flags.tools),
    acceptance: acceptanceFrom(platform.workingFolder, flags.acceptance),
  }
}

/** The runner refuses it too, but names its own options. */
function refuseMissing(workingFolder: string, file: string): void {
  if (existsSync(resolve(workingFolder, file))) return
  throw new InvalidOptionError('--read', file, 'a file that exists in the working folder')
}

function toolsOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidOptionError('--tools', text, 'names separated by commas, e.g. read,grep')
  return names
}
