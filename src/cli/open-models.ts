import { createModelSource, type ModelSource } from '../runner/models/index.ts'
import type { CommandContext } from './command-context.ts'
import { untrustedPlaces } from './config/config.ts'

/** The models that a command can run agents on: the environment, the config and `--base-url` together. */
export function openModels(
  { platform, config }: CommandContext,
  flags: { readonly baseUrl?: string; readonly workingFolder?: string },
): ModelSource {
  const read = config()
  const { models, untrustedModels, providers } = read
  const foreignProviders = untrustedPlaces(read, 'providers')
  const { env, workingFolder } = platform
  const names = { models, untrustedModels, providers, foreignProviders }
  return createModelSource({ env, ...names, workingFolder, ...flags })
}
