import * as z from 'zod/mini'
import { refused } from './schema-forms.ts'
import { type Setting, setting } from './setting.ts'
import { AGENTS } from './settings/agents.ts'
import { ALERTS } from './settings/alerts.ts'
import { TEAM, USER } from './settings/callers.ts'
import { HISTORY } from './settings/history.ts'
import { ASK_ABOVE, BUDGETS, CEILINGS, EXECUTION_LIMITS, LIMITS, ON_LIMIT, TIME_ZONE } from './settings/limits.ts'
import { LOG } from './settings/log.ts'
import { MCP_SERVERS } from './settings/mcp-servers.ts'
import { MODELS } from './settings/models.ts'
import { ON_ASK } from './settings/on-ask.ts'
import { PRICES } from './settings/prices.ts'
import { PROVIDERS, UPSTREAMS } from './settings/providers.ts'
import { SERVE } from './settings/serve.ts'
import { STORE } from './settings/store.ts'
import { WEBHOOKS } from './settings/webhooks.ts'

const SCHEMA = setting({
  schema: z.string(refused('the address of a JSON schema')),
  description: 'For editors',
  twoFiles: '',
  untrusted: '',
  none: undefined,
  read: (): undefined => undefined,
})

/** Every setting of a config file, in the order of the docs. */
export const SETTINGS = {
  $schema: SCHEMA,
  store: STORE,
  limits: LIMITS,
  execution_limits: EXECUTION_LIMITS,
  onLimit: ON_LIMIT,
  timeZone: TIME_ZONE,
  ceilings: CEILINGS,
  askAbove: ASK_ABOVE,
  team: TEAM,
  user: USER,
  budgets: BUDGETS,
  prices: PRICES,
  log: LOG,
  history: HISTORY,
  upstreams: UPSTREAMS,
  agents: AGENTS,
  models: MODELS,
  providers: PROVIDERS,
  mcpServers: MCP_SERVERS,
  onAsk: ON_ASK,
  serve: SERVE,
  alerts: ALERTS,
  webhooks: WEBHOOKS,
} as const

export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

/** What each setting means, as `parseConfig` returns it. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer _, infer Value> ? Value : never
}

/** The description of a setting; `null`: there is no such setting. */
export function settingNamed(name: string): Setting<unknown, unknown> | null {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as SettingName] : null
}
