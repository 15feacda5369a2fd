import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { agentNamed } from '../../agents/index.ts'
import { assertScopeName, InvalidOptionError } from '../../core/index.ts'
import { type LayerInput, parseLimits, resolveLimits } from '../../policy/index.ts'
import { chainInFile, chainNamed, type FoundChains, findChains } from '../../runner/groups/chain/find-chains.ts'
import { CHAIN_FILE } from '../../runner/groups/chain/read-chain-file.ts'
import type { Chain, ChildInput, GroupRequest } from '../../runner/index.ts'
import { timeOrderedIds } from '../../system/index.ts'
import { agentsHere } from '../agents/agents-here.ts'
import type { CommandContext } from '../command-context.ts'
import { askAboveFrom } from '../flags/ask-above-from-flags.ts'
import { layersFromFlags } from '../flags/layers-from-flags.ts'
import { refuseUnpriced } from '../run/refuse-unpriced.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { leftOutOfAgent } from '../trust/left-out-of-agent.ts'
import type { GroupFlags } from './group-flags.ts'
import { wholeFrom } from './whole-from.ts'

/** A group to run, checked as far as possible before a ledger is opened. */
export interface GroupCommand {
  readonly id: string
  /** The default name of the group. */
  readonly name: string
  readonly flags: GroupFlags
  readonly layers: readonly LayerInput[]
  readonly settings: Pick<GroupRequest, 'concurrency' | 'share' | 'askAbove' | 'model' | 'name' | 'wrapUp'>
}

/** The fields of an agent's part that determine its price. */
type Part = Pick<ChildInput, 'agent' | 'model'>

/** Reads the flags of a group, and looks up the agents that it names. */
export function readGroup(
  context: CommandContext,
  name: string,
  parts: readonly Part[],
  flags: GroupFlags,
  leftOut: readonly string[] = [],
): GroupCommand {
  const { concurrency, share, model, wrapUp } = flags
  const isEqual = share?.length === 1 && share[0] === 'equal'
  // The runner reads them too, but names its own option.
  if (share !== undefined && !isEqual) parseLimits(share, { layer: 'call', flag: '--share' })
  // A timeout ends the group, whatever its other limits do.
  const layers = [...context.config().layers, ...layersFromFlags({ ...flags, timeoutAction: 'terminate' })]
  resolveLimits(layers)
  const askAbove = askAboveFrom(context, flags.askAbove)
  if (flags.name !== undefined) assertScopeName(flags.name)
  const found = agentsHere(context)
  const ignored = leftOut.map((place) => ({ place, reason: 'It needs trust.' }))
  const others = parts.flatMap((part) => {
    const agent = agentNamed(found, part.agent)
    refuseUnpriced(context, agent, layers, part.model ?? agent.model ?? model ?? null)
    return leftOutOfAgent(found, agent, [])
  })
  sayLeftOut(context, [...leftOutOfConfig(context), ...ignored, ...others])
  return {
    id: flags.id ?? timeOrderedIds({ wallMs: () => context.platform.nowMs() })(),
    name: flags.name ?? name,
    flags,
    layers,
    settings: {
      askAbove,
      ...(concurrency === undefined ? {} : { concurrency: wholeFrom('--concurrency', concurrency) }),
      ...(share === undefined ? {} : { share: isEqual ? 'equal' : share }),
      ...(model === undefined ? {} : { model }),
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(wrapUp ? {} : { wrapUp }),
    },
  }
}

/** Every chain that can be run from here. */
export function chainsHere(context: CommandContext): FoundChains {
  const { workingFolder, homeFolder } = context.platform
  return findChains({ workingFolder, homeFolder, trust: context.config().trust })
}

/** The chain that the user means: a file if it looks like one, or the name of a chain found from here. */
export function chainMeant(context: CommandContext, text: string): Chain {
  const file = resolve(context.platform.workingFolder, text)
  const isFile = CHAIN_FILE.test(text) || /[/\\]/.test(text)
  if (!isFile) return chainNamed(chainsHere(context), text)
  if (existsSync(file)) return chainInFile(file)
  throw new InvalidOptionError(
    'CHAIN',
    text,
    'a file that exists, or the name of a chain; stint chains list shows them',
  )
}

/** The agents of a chain. */
export function partsOf({ steps }: Pick<Chain, 'steps'>): readonly Part[] {
  const children = steps.flatMap((step) => (step.kind === 'parallel' ? step.children : [step.child]))
  return children.map(({ agent, model }) => (model === null ? { agent } : { agent, model }))
}
