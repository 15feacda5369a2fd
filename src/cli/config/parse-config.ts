import { dirname } from 'node:path'
import { showValue } from '../../core/index.ts'
import type { Document } from '../../documents/index.ts'
import type { ConfigFile } from './config-file.ts'
import { placeIn, problemIn } from './document.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import { readAgents } from './read-agents.ts'
import { readCaller } from './read-caller.ts'
import { readFields } from './read-fields.ts'
import { readBudgets, readLimitField, readRunLimits } from './read-limit-fields.ts'
import { readLog } from './read-log.ts'
import { readMcpServers } from './read-mcp-servers.ts'
import { readModels } from './read-models.ts'
import { readOnAsk } from './read-on-ask.ts'
import { readPrices } from './read-prices.ts'
import { readProviders } from './read-providers.ts'
import { readUpstreams } from './read-upstreams.ts'
import { parseStoreAddress } from './store-address.ts'

/** The settings of a config file. */
export const CONFIG_KEYS = [
  '$schema',
  'store',
  'limits',
  'execution_limits',
  'onLimit',
  'timeZone',
  'ceilings',
  'team',
  'user',
  'budgets',
  'prices',
  'log',
  'upstreams',
  'agents',
  'models',
  'providers',
  'mcpServers',
  'onAsk',
] as const

/** Reads a config file. Throws one `InvalidConfigError` with everything that is wrong. */
export function parseConfig(document: Document, layer: 'user' | 'project', homeFolder: string): ConfigFile {
  const problems: ConfigProblem[] = []
  // A file of comments says nothing, which is no mistake.
  const fields = readFields(document, '', document.value ?? {}, CONFIG_KEYS, problems) ?? {}
  const {
    $schema: schema,
    store,
    ceilings,
    team,
    user,
    budgets,
    prices,
    log,
    upstreams,
    agents,
    models,
    providers,
    mcpServers,
    onAsk,
  } = fields
  if (schema !== undefined && typeof schema !== 'string') {
    problems.push(problemIn(document, '$schema', schema, `${showValue(schema)} is no address of a JSON schema.`))
  }
  const cap = ceilings === undefined ? null : readLimitField(document, 'ceiling', 'ceilings', ceilings, problems)
  const config: ConfigFile = {
    file: document.file,
    layer,
    store: store === undefined ? null : readStore(document, store, homeFolder, problems),
    ...readRunLimits(document, layer, fields, problems),
    team: team === undefined ? null : readCaller(document, 'team', team, problems),
    user: user === undefined ? null : readCaller(document, 'user', user, problems),
    ceilings: cap === null ? [] : [cap],
    budgets: budgets === undefined ? new Map() : readBudgets(document, layer, budgets, problems),
    prices: prices === undefined ? new Map() : readPrices(document, prices, problems),
    log: log === undefined ? null : readLog(document, log, homeFolder, problems),
    upstreams: upstreams === undefined ? new Map() : readUpstreams(document, upstreams, homeFolder, problems),
    agents: agents === undefined ? null : readAgents(document, layer, agents, problems),
    models: models === undefined ? new Map() : readModels(document, models, problems),
    untrustedModels: new Map(),
    providers: providers === undefined ? new Map() : readProviders(document, providers, problems),
    mcpServers: mcpServers === undefined ? new Map() : readMcpServers(document, mcpServers, homeFolder, problems),
    onAsk: onAsk === undefined ? null : readOnAsk(document, onAsk, problems),
  }
  if (problems.length > 0) throw new InvalidConfigError(problems)
  return config
}

function readStore(
  document: Document,
  value: unknown,
  homeFolder: string,
  problems: ConfigProblem[],
): ConfigFile['store'] {
  const address = parseStoreAddress(value, { folder: dirname(document.file), homeFolder })
  if ('kind' in address) return { address, place: placeIn(document, 'store') }
  problems.push(problemIn(document, 'store', value, address.message, address.suggestion))
  return null
}
