import { resolve } from 'node:path'
import { createTrustRecords, recordedTrust, TRUST_EVERYTHING, TRUST_NOTHING, type Trust } from '../trust/index.ts'
import type { Config } from './config.ts'
import { findProjectFile, findUserFile } from './find-config-files.ts'
import { type ConfigFlags, type ConfigSource, loadConfig } from './load-config.ts'
import type { Machine } from './machine.ts'
import type { ConfigFile } from './parse-config.ts'
import { stintHome } from './stint-home.ts'

export interface PrepareOptions {
  /** Whether an agent asks: then a file that it names is worth no more than one that is found. */
  readonly isInsideRun?: boolean
  /** What is believed of the project's files, instead of what was trusted. */
  readonly trust?: Trust
}

/**
 * Finds the config files, and loads what reads them if there are any: most commands meet none, and need no YAML.
 * What it returns reads them when it is first called, and throws `InvalidConfigError` with all that is wrong.
 */
export async function prepareConfig(
  machine: Machine,
  flags: ConfigFlags,
  options: PrepareOptions = {},
): Promise<() => Config> {
  const { env, homeFolder, workingFolder } = machine
  const recorded = recordedTrust(createTrustRecords(stintHome(machine)))
  const trust = options.trust ?? (flags.trust === true ? TRUST_EVERYTHING : recorded)
  const named = flags.config
  const isBelieved = named !== undefined && options.isInsideRun !== true
  const sources = await Promise.all([
    sourceOf('user', homeFolder, TRUST_EVERYTHING, () => findUserFile(env, homeFolder)),
    sourceOf('project', homeFolder, isBelieved ? TRUST_EVERYTHING : trust, () =>
      named === undefined ? findProjectFile(workingFolder) : resolve(workingFolder, named),
    ),
  ])
  let config: Config | null = null
  return () => {
    config ??= loadConfig(machine, flags, sources, trust)
    return config
  }
}

/** The ledger that the user means in any folder: by the environment, the user's own config, or the default. */
export async function usersStore(machine: Machine): Promise<Config['store']> {
  const { env, homeFolder } = machine
  const source = await sourceOf('user', homeFolder, TRUST_EVERYTHING, () => findUserFile(env, homeFolder))
  return loadConfig(machine, {}, [source], TRUST_NOTHING).store
}

async function sourceOf(
  layer: ConfigFile['layer'],
  homeFolder: string,
  trust: Trust,
  find: () => string | null,
): Promise<ConfigSource> {
  let file: string | null
  try {
    file = find()
  } catch (error) {
    // Said when the config is asked for: some commands never do.
    return () => {
      throw error
    }
  }
  if (file === null) return () => null
  const { readConfigFile } = await import('./read-config-file.ts')
  return () => readConfigFile(file, layer, homeFolder, trust)
}
