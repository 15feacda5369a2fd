import { untrustedPlaces } from '../config/config.ts'
import { createModelSource, type ModelSource } from '../runner/models/index.ts'
import type { ModelSourceOptions } from '../runner/models/model-source.ts'
import type { CommandContext } from './command-context.ts'

/** The addresses and keys of providers. */
export type ModelAccess = Pick<ModelSourceOptions, 'env' | 'providers'>

/** The models that a command can run agents on: the environment, the config and `--base-url` together. */
export function openModels(
  { platform, config }: CommandContext,
  flags: { readonly baseUrl?: string; readonly workingFolder?: string },
  access: ModelAccess = { env: platform.env, providers: config().providers },
): ModelSource {
  const read = config()
  const { models, untrustedModels } = read
  const foreignProviders = untrustedPlaces(read, 'providers')
  const { workingFolder } = platform
  const { env, providers } = access
  const names = { models, untrustedModels, providers, foreignProviders }
  return createModelSource({ env, ...names, workingFolder, ...flags })
}
