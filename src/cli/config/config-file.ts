import type { AgentOverrides } from '../../agents/index.ts'
import type { ParsedLimits, SharedLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { ProviderSettings } from '../../runner/models/provider-settings.ts'
import type { McpServerSettings } from './mcp-server-settings.ts'
import type { AskCommand } from './read-on-ask.ts'
import type { StoreAddress } from './store-address.ts'
import type { UpstreamName, UpstreamSettings } from './upstream-settings.ts'

/** Where events are logged; `null`: nowhere. */
export interface LogSettings {
  readonly file: string
  readonly maxBytes: number | null
  readonly keep: number | null
}

/** What one config file says. What it leaves out is `null` or empty. */
export interface ConfigFile {
  readonly file: string
  readonly layer: 'user' | 'project'
  readonly store: { readonly address: StoreAddress; readonly place: string } | null
  /** The limits of runs, and the defaults beside them. */
  readonly limits: readonly ParsedLimits[]
  readonly ceilings: readonly ParsedLimits[]
  /** `team_budget_usd` and `user_budget_usd` of `execution_limits`. */
  readonly shared: SharedLimits
  /** Whose runs these are. */
  readonly team: string | null
  readonly user: string | null
  readonly budgets: ReadonlyMap<string, ParsedLimits>
  readonly prices: PriceList
  readonly log: { readonly settings: LogSettings | null } | null
  readonly upstreams: ReadonlyMap<UpstreamName, UpstreamSettings>
  /** What is to differ from the files of agents. */
  readonly agents: AgentOverrides | null
  /** Short names of models. */
  readonly models: ReadonlyMap<string, string>
  /** Those of them that it is not believed for, with the place of each: they name only models that have a price. */
  readonly untrustedModels: ReadonlyMap<string, string>
  /** The providers of models, beside those that we know. */
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** The MCP servers whose tools agents can have. */
  readonly mcpServers: ReadonlyMap<string, McpServerSettings>
  /** What is run when a run asks for more. */
  readonly onAsk: AskCommand | null
}
