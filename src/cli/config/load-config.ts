import { join, resolve } from 'node:path'
import { InvalidOptionError, isStintError } from '../../core/index.ts'
import { type InvalidLimitError, type ParsedLimits, parseLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import type { Platform } from '../platform.ts'
import type { Config } from './config.ts'
import type { ConfigFile } from './config-file.ts'
import { findProjectFile, findUserFile } from './find-config-files.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import { parseConfig } from './parse-config.ts'
import { readDocument } from './read-document.ts'
import { parseStoreAddress } from './store-address.ts'

/** The flags that are part of the config. */
export interface ConfigFlags {
  readonly store?: string | undefined
  /** A file to read instead of the project's. */
  readonly config?: string | undefined
}

/** Finds and reads everything that configures a command. Throws `InvalidConfigError` with all that is wrong. */
export function loadConfig(platform: Platform, flags: ConfigFlags): Config {
  const problems: ConfigProblem[] = []
  const files = readFiles(platform, flags, problems)
  const environment = readEnvironment(platform.env, problems)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  const homeFolder = stintHome(platform)
  const ceilings = files.flatMap((file) => file.ceilings)
  return {
    files,
    homeFolder,
    store: chooseStore(platform, flags, files, homeFolder),
    layers: [...files.flatMap((file) => file.limits), ...environment, ...ceilings],
    ceilings,
    budgets: mergeBudgets(files),
    prices: mergePrices(files),
    ...chooseUpstreams(files, flags),
    ...chooseProviders(files, flags),
    ...chooseMcpServers(files, flags),
    agents: files.flatMap((file) => file.agents ?? []),
    models: new Map(files.flatMap((file) => [...file.models])),
    log: chooseLog(files, join(homeFolder, 'logs', 'execution-limits.log')),
  }
}

function stintHome({ env, workingFolder, homeFolder }: Platform): string {
  const { STINT_HOME: configured } = env
  return configured ? resolve(workingFolder, configured) : join(homeFolder, '.local', 'state', 'stint')
}

function readFiles(platform: Platform, flags: ConfigFlags, problems: ConfigProblem[]): readonly ConfigFile[] {
  const { env, homeFolder, workingFolder } = platform
  const attempt = (layer: 'user' | 'project', find: () => string | null): readonly ConfigFile[] => {
    try {
      const file = find()
      return file === null ? [] : [parseConfig(readDocument(file), layer, homeFolder)]
    } catch (error) {
      if (!isStintError(error, 'invalid_config')) throw error
      problems.push(...(error as unknown as InvalidConfigError).problems)
      return []
    }
  }
  const { config } = flags
  return [
    ...attempt('user', () => findUserFile(env, homeFolder)),
    ...attempt('project', () =>
      config === undefined ? findProjectFile(workingFolder) : resolve(workingFolder, config),
    ),
  ]
}

/** Whoever wrote a project must not say where your keys go: that takes your own config, or a file that you name. */
function chooseUpstreams(
  files: readonly ConfigFile[],
  flags: ConfigFlags,
): Pick<Config, 'upstreams' | 'foreignUpstreams'> {
  const message =
    'A config that is only found in a folder must not say where requests and keys go. ' +
    'Put it into your own config (~/.config/stint/config.yaml), or name this file: --config FILE.'
  const foreign = files.filter((file) => isForeign(file, flags)).flatMap(({ upstreams }) => [...upstreams.values()])
  return {
    upstreams: new Map(files.filter((file) => !isForeign(file, flags)).flatMap(({ upstreams }) => [...upstreams])),
    foreignUpstreams: foreign.map(({ place }) => ({ place, value: undefined, message })),
  }
}

/** The same for the providers of models. */
function chooseProviders(
  files: readonly ConfigFile[],
  flags: ConfigFlags,
): Pick<Config, 'providers' | 'foreignProviders'> {
  const own = files.filter((file) => !isForeign(file, flags)).flatMap(({ providers }) => [...providers])
  const foreign = files.filter((file) => isForeign(file, flags)).flatMap(({ providers }) => [...providers])
  return {
    providers: new Map(own),
    foreignProviders: new Map(foreign.map(([name, { place }]) => [name, place])),
  }
}

/** The same for MCP servers: a program of whoever wrote a project is not started because somebody cloned it. */
function chooseMcpServers(
  files: readonly ConfigFile[],
  flags: ConfigFlags,
): Pick<Config, 'mcpServers' | 'foreignMcpServers'> {
  const own = files.filter((file) => !isForeign(file, flags)).flatMap(({ mcpServers }) => [...mcpServers])
  const foreign = files.filter((file) => isForeign(file, flags)).flatMap(({ mcpServers }) => [...mcpServers])
  return {
    mcpServers: new Map(own),
    foreignMcpServers: new Map(foreign.map(([name, { place }]) => [name, place])),
  }
}

/** Whether a file was merely found: nobody has said that it may be trusted with keys. */
function isForeign({ layer }: ConfigFile, flags: ConfigFlags): boolean {
  return layer === 'project' && flags.config === undefined
}

/** `STINT_LIMITS`: limits as on the command line, with commas between. */
function readEnvironment(env: Platform['env'], problems: ConfigProblem[]): readonly ParsedLimits[] {
  const { STINT_LIMITS: text } = env
  if (text === undefined || text.trim() === '') return []
  const parts = text.split(',').map((part) => part.trim())
  try {
    return [parseLimits(parts, { layer: 'environment', variable: 'STINT_LIMITS' })]
  } catch (error) {
    if (!isStintError(error, 'invalid_limit')) throw error
    problems.push(...(error as unknown as InvalidLimitError).problems)
    return []
  }
}

function chooseStore(
  platform: Platform,
  flags: ConfigFlags,
  files: readonly ConfigFile[],
  homeFolder: string,
): Config['store'] {
  const { env, workingFolder, homeFolder: userHome } = platform
  const read = (place: string, text: string): Config['store'] => {
    const address = parseStoreAddress(text, { folder: workingFolder, homeFolder: userHome })
    if ('kind' in address) return { address, place }
    const { suggestion } = address
    const hint = suggestion === null ? '' : ` (did you mean "${suggestion}"?)`
    throw new InvalidOptionError(place, text, `sqlite:PATH or memory:${hint}`)
  }
  if (flags.store !== undefined) return read('--store', flags.store)
  if (env.STINT_STORE) return read('the environment variable STINT_STORE', env.STINT_STORE)
  const written = files.findLast(({ store }) => store !== null)?.store
  if (written) return written
  return { address: { kind: 'sqlite', file: join(homeFolder, 'ledger.db') }, place: 'the default' }
}

function mergeBudgets(files: readonly ConfigFile[]): ReadonlyMap<string, readonly ParsedLimits[]> {
  const keys = new Set(files.flatMap(({ budgets }) => [...budgets.keys()]))
  return new Map([...keys].sort().map((key) => [key, files.flatMap(({ budgets }) => budgets.get(key) ?? [])]))
}

function mergePrices(files: readonly ConfigFile[]): PriceList {
  return new Map(files.flatMap(({ prices }) => [...prices]))
}

function chooseLog(files: readonly ConfigFile[], file: string): Config['log'] {
  const written = files.findLast(({ log }) => log !== null)?.log
  return written ? written.settings : { file, maxBytes: null, keep: null }
}
