import { createModelSource, type ModelSource } from '../runner/models/index.ts'
import type { CommandContext } from './command-context.ts'

/** The models that a command can run agents on: the environment, the config and `--base-url` together. */
export function openModels(
  { platform, config }: CommandContext,
  flags: { readonly baseUrl?: string; readonly workingFolder?: string },
): ModelSource {
  const { models, providers, foreignProviders } = config()
  const { env, workingFolder } = platform
  return createModelSource({ env, models, providers, foreignProviders, workingFolder, ...flags })
}
