import type { AgentOverrides } from '../agents/index.ts'
import type { AlertRule } from '../core/index.ts'
import type { LayerInput, ParsedLimits } from '../policy/index.ts'
import type { Claim, Trust } from '../trust/index.ts'
import type { ConfigFile } from './parse-config.ts'
import type { LogSettings } from './settings/log.ts'
import type { ChosenStore } from './settings/store.ts'

/** Settings that a command takes from the files unchanged. */
type Shared =
  | 'shared'
  | 'team'
  | 'user'
  | 'prices'
  | 'upstreams'
  | 'models'
  | 'providers'
  | 'mcpServers'
  | 'onAsk'
  | 'serve'
  | 'history'
  | 'webhooks'

/** The effective config of a command: files, environment and flags combined. */
export interface Config extends Pick<ConfigFile, Shared | 'untrustedModels'> {
  /** The files that were read, the weakest first. */
  readonly files: readonly ConfigFile[]
  readonly store: ChosenStore
  /** Where Stint keeps what outlives a command. */
  readonly homeFolder: string
  /** The limits of runs, layer by layer, and the ceilings. */
  readonly layers: readonly LayerInput[]
  readonly ceilings: readonly ParsedLimits[]
  /** How large a plan may be before a person is asked, layer by layer. */
  readonly askAbove: readonly ParsedLimits[]
  /** The budgets that the files name, each layer by layer. */
  readonly budgets: ReadonlyMap<string, readonly ParsedLimits[]>
  /** When alerts are raised. */
  readonly alerts: readonly AlertRule[]
  /** `null`: events are not logged. */
  readonly log: LogSettings | null
  /** Overrides of agents' files, weakest first. */
  readonly agents: readonly AgentOverrides[]
  /** Which of the project's files are trusted, including its agents. */
  readonly trust: Trust
  /** What the project's config sets and is ignored, because the folder is not trusted with it. */
  readonly leftOut: readonly Claim[]
}

/** The names in a setting that are ignored, each with its place. */
export function untrustedPlaces({ leftOut }: Config, setting: string): ReadonlyMap<string, string> {
  const claims = leftOut.filter(({ path }) => path.length === 2 && path[0] === setting)
  return new Map(claims.map(({ path, place }) => [path[1]!, place]))
}
