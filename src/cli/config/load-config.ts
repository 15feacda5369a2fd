import { join } from 'node:path'
import { InvalidOptionError, isStintError } from '../../core/index.ts'
import { type InvalidLimitError, type ParsedLimits, parseLimits } from '../../policy/index.ts'
import type { PriceList } from '../../pricing/index.ts'
import { type Claim, claimFile, type Trust } from '../../trust/index.ts'
import type { Platform } from '../platform.ts'
import type { BelievedConfig } from './believed-config.ts'
import type { Config } from './config.ts'
import type { ConfigFile } from './config-file.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import { stintHome } from './stint-home.ts'
import { parseStoreAddress } from './store-address.ts'

/** The flags that are part of the config. */
export interface ConfigFlags {
  readonly store?: string | undefined
  /** A file to read instead of the project's. */
  readonly config?: string | undefined
  /** Whether this command believes what the files of the project say. */
  readonly trust?: boolean | undefined
}

/** A place where a config may be: `null` if there is none. Throws `InvalidConfigError` with all that is wrong with it. */
export type ConfigSource = () => BelievedConfig | null

/**
 * Reads everything that configures a command. Throws `InvalidConfigError` with all that is wrong. `trust`: what is
 * believed of the files of the project.
 */
export function loadConfig(
  platform: Platform,
  flags: ConfigFlags,
  sources: readonly ConfigSource[],
  trust: Trust,
): Config {
  const problems: ConfigProblem[] = []
  const homeFolder = stintHome(platform)
  const read = sources.flatMap((source) => readFrom(source, problems))
  const environment = readEnvironment(platform.env, problems)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  const files = read.map(({ file }) => file)
  const ceilings = files.flatMap((file) => file.ceilings)
  const names = chooseModels(files)
  const leftOut = [...read.flatMap((each) => each.leftOut), ...names.leftOut]
  return {
    files,
    homeFolder,
    trust,
    leftOut,
    store: chooseStore(platform, flags, files, homeFolder),
    layers: [...files.flatMap((file) => file.limits), ...environment, ...ceilings],
    ceilings,
    shared: {
      team: files.flatMap(({ shared }) => shared.team),
      user: files.flatMap(({ shared }) => shared.user),
    },
    team: files.findLast(({ team }) => team !== null)?.team ?? null,
    user: files.findLast(({ user }) => user !== null)?.user ?? null,
    budgets: mergeBudgets(files),
    prices: mergePrices(files),
    upstreams: new Map(files.flatMap(({ upstreams }) => [...upstreams])),
    providers: new Map(files.flatMap(({ providers }) => [...providers])),
    mcpServers: new Map(files.flatMap(({ mcpServers }) => [...mcpServers])),
    onAsk: files.findLast(({ onAsk }) => onAsk !== null)?.onAsk ?? null,
    agents: files.flatMap((file) => file.agents ?? []),
    models: names.models,
    untrustedModels: names.untrustedModels,
    log: chooseLog(files, join(homeFolder, 'logs', 'execution-limits.log')),
  }
}

function readFrom(source: ConfigSource, problems: ConfigProblem[]): readonly BelievedConfig[] {
  try {
    const file = source()
    return file === null ? [] : [file]
  } catch (error) {
    if (!isStintError(error, 'invalid_config')) throw error
    problems.push(...(error as unknown as InvalidConfigError).problems)
    return []
  }
}

/** A file that is not believed gives no name another meaning that the user has given it one. */
function chooseModels(files: readonly ConfigFile[]): Pick<Config, 'models' | 'untrustedModels' | 'leftOut'> {
  const models = new Map<string, string>()
  const untrustedModels = new Map<string, string>()
  const leftOut: Claim[] = []
  for (const file of files) {
    for (const [name, model] of file.models) {
      const place = file.untrustedModels.get(name)
      if (place !== undefined && models.has(name)) {
        const allows = `means by ${name} the model ${model}, and not the one that you say`
        leftOut.push({ ...claimFile(file.file), path: ['models', name, model], value: true, place, allows })
        continue
      }
      models.set(name, model)
      if (place !== undefined) untrustedModels.set(name, place)
    }
  }
  return { models, untrustedModels, leftOut }
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
