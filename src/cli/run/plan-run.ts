import { type Agent, agentNamed, findAgents } from '../../agents/index.ts'
import { assertScopeName, InvalidOptionError } from '../../core/index.ts'
import { type LayerInput, resolveLimits } from '../../policy/index.ts'
import { createTimeOrderedId } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { layersFromFlags } from '../commands/layers-from-flags.ts'
import { readTask } from './read-task.ts'
import type { RunFlags } from './run-flags.ts'

/** What is to be run, and with what: everything checked that can be before a ledger is opened. */
export interface RunPlan {
  readonly id: string
  readonly agent: Agent
  readonly task: string
  readonly layers: readonly LayerInput[]
  readonly flags: RunFlags
  readonly tools: readonly string[] | null
}

/** Reads the command line of `stint run`. */
export async function planRun(
  context: CommandContext,
  name: string,
  written: string,
  flags: RunFlags,
): Promise<RunPlan> {
  const { platform } = context
  const { preset, timeout, ...limits } = flags
  const layers = [...context.config().layers, ...layersFromFlags({ ...limits, ...deadline(timeout) })]
  // A preset takes the place of the agent's own role, below what its file says.
  if (preset !== undefined) layersFromFlags({ preset })
  resolveLimits(layers)
  if (flags.name !== undefined) assertScopeName(flags.name)
  const agent = agentOf(context, name)
  return {
    id: flags.id ?? createTimeOrderedId(platform.nowMs()),
    agent: preset === undefined ? agent : { ...agent, preset },
    task: await readTask(platform, written),
    layers,
    flags,
    tools: flags.tools === undefined ? null : toolsOf(flags.tools),
  }
}

/** A deadline ends the run, whatever its other limits do. */
function deadline(timeout: string | undefined): { readonly timeout?: string } {
  if (timeout === undefined) return {}
  return { timeout: timeout.includes(':') ? timeout : `${timeout}:terminate` }
}

function agentOf({ platform, config }: CommandContext, name: string): Agent {
  const { workingFolder, homeFolder } = platform
  return agentNamed(findAgents({ workingFolder, homeFolder, overrides: config().agents }), name)
}

function toolsOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidOptionError('--tools', text, 'names with commas between, e.g. read,grep')
  return names
}
