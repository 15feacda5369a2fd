import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText, type LanguageModel } from 'ai'
import { onTestFinished } from 'vitest'
import {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from '../../testing/provider/index.ts'
import { createModelSource } from './create-model-source.ts'
import type { ModelSource, ModelSourceOptions, ProviderSettings, ResolvedModel } from './model-source.ts'

/** A provider on loopback, closed when the test ends. */
export async function startProvider(options: ScriptedProviderOptions = {}): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider(options)
  onTestFinished(() => provider.close())
  return provider
}

/** A model source with only these settings. */
export function sourceOf(
  options: {
    readonly env?: ModelSourceOptions['env']
    readonly models?: Readonly<Record<string, string>>
    readonly providers?: Readonly<Record<string, Partial<ProviderSettings>>>
    readonly foreignProviders?: Readonly<Record<string, string>>
    readonly untrustedModels?: Readonly<Record<string, string>>
    readonly baseUrl?: string
    readonly workingFolder?: string
  } = {},
): ModelSource {
  const { env = {}, models = {}, providers = {}, foreignProviders = {}, workingFolder = tmpdir(), baseUrl } = options
  return createModelSource({
    env,
    models: new Map(Object.entries(models)),
    providers: new Map(
      Object.entries(providers).map(([name, settings]) => [
        name,
        { baseUrl: null, apiKeyEnv: null, place: `providers.${name} in config.yaml:1`, ...settings },
      ]),
    ),
    foreignProviders: new Map(Object.entries(foreignProviders)),
    untrustedModels: new Map(Object.entries(options.untrustedModels ?? {})),
    workingFolder,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  })
}

/** A model's answer to `hello`. */
export async function ask({ model }: ResolvedModel): Promise<string> {
  const { text } = await generateText({ model: model as LanguageModel, prompt: 'hello', maxRetries: 0 })
  return text
}

/** A folder with these files, removed when the test ends. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-models-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
