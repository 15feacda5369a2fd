import { resolve } from 'node:path'
import { createTrustRecords, recordedTrust, TRUST_EVERYTHING, TRUST_NOTHING, type Trust } from '../trust/index.ts'
import type { Config } from './config.ts'
import { findProjectFile, findUserFile } from './find-config-files.ts'
import { type ConfigFlags, type ConfigSource, loadConfig } from './load-config.ts'
import type { Machine } from './machine.ts'
import type { ConfigFile } from './parse-config.ts'
import { stintHome } from './stint-home.ts'

export interface PrepareOptions {
  /** Whether an agent is asking: then a file that it names is trusted no more than one that is found. */
  readonly isInsideRun?: boolean
  /** Overrides which of the project's files are trusted. */
  readonly trust?: Trust
}

/**
 * Finds the config files, and loads the reader only if there are any: most commands find none, and need no YAML. The
 * returned function reads them when first called, and throws `InvalidConfigError` with everything that is wrong.
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

/** The user's own ledger, in any folder: from the environment, the user's config, or the default. */
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
    // Thrown when the config is first used: some commands never use it.
    return () => {
      throw error
    }
  }
  if (file === null) return () => null
  const { readConfigFile } = await import('./read-config-file.ts')
  return () => readConfigFile(file, layer, homeFolder, trust)
}
