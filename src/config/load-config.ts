import { join } from 'node:path'
import { InvalidOptionError } from '../core/index.ts'
import { type ParsedLimits, parseLimits } from '../policy/index.ts'
import { type Claim, claimFile, type Trust } from '../trust/index.ts'
import { collectProblems } from './collect-problems.ts'
import type { Config } from './config.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import type { Machine } from './machine.ts'
import type { ConfigFile } from './parse-config.ts'
import { pathFrom } from './path-from.ts'
import type { BelievedConfig } from './read-config-file.ts'
import { alertRules } from './settings/alerts.ts'
import { stintHome } from './stint-home.ts'
import { parseStoreAddress } from './store-address.ts'

/** The flags that are part of the config. */
export interface ConfigFlags {
  readonly store?: string | undefined
  /** A file to read instead of the project's. */
  readonly config?: string | undefined
  /** Whether this command trusts the project's files. */
  readonly trust?: boolean | undefined
}

/**
 * A place where a config may be: `null` if there is none. Throws `InvalidConfigError` with everything that is wrong.
 */
export type ConfigSource = () => BelievedConfig | null

/**
 * Reads everything that configures a command. Throws `InvalidConfigError` with everything that is wrong. `trust` says
 * which of the project's files are trusted.
 */
export function loadConfig(
  machine: Machine,
  flags: ConfigFlags,
  sources: readonly ConfigSource[],
  trust: Trust,
): Config {
  const problems: ConfigProblem[] = []
  const homeFolder = stintHome(machine)
  const read = sources.flatMap((source) => collectProblems(problems, source) ?? [])
  const environment = readEnvironment(machine.env, problems)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  const files = read.map(({ file }) => file)
  const later = <Value>(of: (file: ConfigFile) => Value): Value | null =>
    files.map(of).findLast((each) => each !== null) ?? null
  const byName = <Name, Value>(of: (file: ConfigFile) => ReadonlyMap<Name, Value>): ReadonlyMap<Name, Value> =>
    new Map(files.flatMap((file) => [...of(file)]))
  const ceilings = files.flatMap((file) => file.ceilings)
  const names = chooseModels(files)
  const log = later((file) => file.log) ?? {
    file: join(homeFolder, 'logs', 'execution-limits.log'),
    maxBytes: null,
    keep: null,
  }
  return {
    ...names,
    files,
    homeFolder,
    trust,
    leftOut: [...read.flatMap((each) => each.leftOut), ...names.leftOut],
    store: chosenByCommand(machine, flags) ??
      later((file) => file.store) ?? {
        address: { kind: 'sqlite', file: join(homeFolder, 'ledger.db') },
        place: 'the default',
      },
    layers: [...files.flatMap((file) => file.limits), ...environment, ...ceilings],
    ceilings,
    askAbove: files.flatMap((file) => file.askAbove),
    shared: {
      team: files.flatMap(({ shared }) => shared.team),
      user: files.flatMap(({ shared }) => shared.user),
    },
    team: later((file) => file.team),
    user: later((file) => file.user),
    budgets: mergeBudgets(files),
    prices: byName((file) => file.prices),
    upstreams: byName((file) => file.upstreams),
    providers: byName((file) => file.providers),
    mcpServers: byName((file) => file.mcpServers),
    webhooks: byName((file) => file.webhooks),
    onAsk: later((file) => file.onAsk),
    serve: later((file) => file.serve),
    history: later((file) => file.history),
    agents: files.flatMap((file) => file.agents ?? []),
    alerts: alertRules(byName((file) => file.alerts)),
    log: log === false ? null : log,
  }
}

/** An untrusted file cannot redefine a name that the user has defined. */
function chooseModels(files: readonly ConfigFile[]): Pick<Config, 'models' | 'untrustedModels' | 'leftOut'> {
  const models = new Map<string, string>()
  const untrustedModels = new Map<string, string>()
  const leftOut: Claim[] = []
  for (const file of files) {
    for (const [name, model] of file.models) {
      const place = file.untrustedModels.get(name)
      if (place !== undefined && models.has(name)) {
        const allows = `sets the short name ${name} to the model ${model}, which you have defined differently`
        leftOut.push({ ...claimFile(file.file), path: ['models', name, model], value: true, place, allows })
        continue
      }
      models.set(name, model)
      if (place !== undefined) untrustedModels.set(name, place)
    }
  }
  return { models, untrustedModels, leftOut }
}

/** `STINT_LIMITS`: limits as on the command line, separated by commas. */
function readEnvironment(env: Machine['env'], problems: ConfigProblem[]): readonly ParsedLimits[] {
  const parts = (env.STINT_LIMITS ?? '').split(',').map((part) => part.trim())
  if (parts.every((part) => part === '')) return []
  const limits = collectProblems(problems, () => parseLimits(parts, { layer: 'environment', variable: 'STINT_LIMITS' }))
  return limits === null ? [] : [limits]
}

/** The store from a flag or the environment, which override the files. */
function chosenByCommand({ env, workingFolder, homeFolder }: Machine, flags: ConfigFlags): Config['store'] | null {
  const isFlag = flags.store !== undefined
  const text = isFlag ? flags.store : env.STINT_STORE
  if (text === undefined || (text === '' && !isFlag)) return null
  const place = isFlag ? '--store' : 'the environment variable STINT_STORE'
  const address = parseStoreAddress(text, (path) => pathFrom(path, workingFolder, homeFolder))
  if ('kind' in address) return { address, place }
  const hint = address.suggestion === null ? '' : ` (did you mean "${address.suggestion}"?)`
  throw new InvalidOptionError(place, address.shown, `${address.form}${hint}`)
}

function mergeBudgets(files: readonly ConfigFile[]): ReadonlyMap<string, readonly ParsedLimits[]> {
  const keys = new Set(files.flatMap(({ budgets }) => [...budgets.keys()]))
  return new Map([...keys].sort().map((key) => [key, files.flatMap(({ budgets }) => budgets.get(key) ?? [])]))
}
