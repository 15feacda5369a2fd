import type { AgentOverrides } from '../agents/index.ts'
import type { LayerInput, ParsedLimits } from '../policy/index.ts'
import type { Claim, Trust } from '../trust/index.ts'
import type { ConfigFile } from './parse-config.ts'
import type { LogSettings } from './settings/log.ts'
import type { ChosenStore } from './settings/store.ts'

/** Settings that mean the same for a command as in a file. */
type Shared = 'shared' | 'team' | 'user' | 'prices' | 'upstreams' | 'models' | 'providers' | 'mcpServers' | 'onAsk'

/** What holds for a command: the files, the environment and the flags together. */
export interface Config extends Pick<ConfigFile, Shared | 'untrustedModels'> {
  /** The files that were read, the weakest first. */
  readonly files: readonly ConfigFile[]
  readonly store: ChosenStore
  /** Where Stint keeps what outlasts a command. */
  readonly homeFolder: string
  /** The limits of runs, layer by layer, and the ceilings. */
  readonly layers: readonly LayerInput[]
  readonly ceilings: readonly ParsedLimits[]
  /** The budgets that the files name, each layer by layer. */
  readonly budgets: ReadonlyMap<string, readonly ParsedLimits[]>
  /** `null`: events are not logged. */
  readonly log: LogSettings | null
  /** What differs from the files of agents, the weakest first. */
  readonly agents: readonly AgentOverrides[]
  /** What is believed of the files of the project, its agents among them. */
  readonly trust: Trust
  /** What the project's config sets and what is not used, because the folder is not trusted with it. */
  readonly leftOut: readonly Claim[]
}

/** The names in a setting that are not used, each with its place. */
export function untrustedPlaces({ leftOut }: Config, setting: string): ReadonlyMap<string, string> {
  const claims = leftOut.filter(({ path }) => path.length === 2 && path[0] === setting)
  return new Map(claims.map(({ path, place }) => [path[1]!, place]))
}
