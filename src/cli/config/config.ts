import type { AgentOverrides } from '../../agents/index.ts'
import type { LayerInput, ParsedLimits, SharedLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { ProviderSettings } from '../../runner/models/provider-settings.ts'
import type { Claim, Trust } from '../../trust/index.ts'
import type { ConfigFile, LogSettings } from './config-file.ts'
import type { McpServerSettings } from './mcp-server-settings.ts'
import type { AskCommand } from './read-on-ask.ts'
import type { StoreAddress } from './store-address.ts'
import type { UpstreamName, UpstreamSettings } from './upstream-settings.ts'

/** What holds for a command: the files, the environment and the flags together. */
export interface Config {
  /** The files that were read, the weakest first. */
  readonly files: readonly ConfigFile[]
  readonly store: {
    readonly address: StoreAddress
    /** Where the store was chosen, as a phrase. */
    readonly place: string
  }
  /** Where Stint keeps what outlasts a command. */
  readonly homeFolder: string
  /** The limits of runs, layer by layer, and the ceilings. */
  readonly layers: readonly LayerInput[]
  readonly ceilings: readonly ParsedLimits[]
  /** The limits that the files write for the caller's team and user. */
  readonly shared: SharedLimits
  /** Whose runs these are; `null`: nobody has said. */
  readonly team: string | null
  readonly user: string | null
  /** The budgets that the files name, each as layer by layer. */
  readonly budgets: ReadonlyMap<string, readonly ParsedLimits[]>
  readonly prices: PriceList
  /** `null`: events are not logged. */
  readonly log: LogSettings | null
  /** Where a gateway sends requests. */
  readonly upstreams: ReadonlyMap<UpstreamName, UpstreamSettings>
  /** What is to differ from the files of agents, the weakest first. */
  readonly agents: readonly AgentOverrides[]
  /** Short names of models. */
  readonly models: ReadonlyMap<string, string>
  /** Those of them that an untrusted file defines, with the place of each. */
  readonly untrustedModels: ReadonlyMap<string, string>
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** The MCP servers of agents. */
  readonly mcpServers: ReadonlyMap<string, McpServerSettings>
  /** What is run when a run asks for more; `null`: nothing. */
  readonly onAsk: AskCommand | null
  /** What is believed of the files of the project, its agents among them. */
  readonly trust: Trust
  /** What the project's config says and what is not used, because the folder is not trusted with it. */
  readonly leftOut: readonly Claim[]
}

/** Of a setting with names in it those that are not used, with the place of each. */
export function untrustedPlaces({ leftOut }: Config, setting: string): ReadonlyMap<string, string> {
  const claims = leftOut.filter(({ path }) => path.length === 2 && path[0] === setting)
  return new Map(claims.map(({ path, place }) => [path[1]!, place]))
}
