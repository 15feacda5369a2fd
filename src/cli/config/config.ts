import type { AgentOverrides } from '../../agents/index.ts'
import type { LayerInput, ParsedLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { ProviderSettings } from '../../runner/models/provider-settings.ts'
import type { ConfigFile, LogSettings } from './config-file.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import type { McpServerSettings } from './mcp-server-settings.ts'
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
  /** The budgets that the files name, each as layer by layer. */
  readonly budgets: ReadonlyMap<string, readonly ParsedLimits[]>
  readonly prices: PriceList
  /** `null`: events are not logged. */
  readonly log: LogSettings | null
  /** Where a gateway sends requests: only what the user wrote, or a file that the user named. */
  readonly upstreams: ReadonlyMap<UpstreamName, UpstreamSettings>
  /** What else names some, which a gateway must not use. */
  readonly foreignUpstreams: readonly ConfigProblem[]
  /** What is to differ from the files of agents, the weakest first. */
  readonly agents: readonly AgentOverrides[]
  /** Short names of models. */
  readonly models: ReadonlyMap<string, string>
  /** The providers of models: only what the user wrote, or a file that the user named. */
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** Where others are written, which must not be used. */
  readonly foreignProviders: ReadonlyMap<string, string>
  /** The MCP servers of agents: only what the user wrote, or a file that the user named. */
  readonly mcpServers: ReadonlyMap<string, McpServerSettings>
  /** Where others are written, which must not be used. */
  readonly foreignMcpServers: ReadonlyMap<string, string>
}
