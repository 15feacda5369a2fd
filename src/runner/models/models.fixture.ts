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
import type { ModelSource, ModelSourceOptions, ResolvedModel } from './model-source.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** A provider on loopback that is closed with the test. */
export async function startProvider(options: ScriptedProviderOptions = {}): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider(options)
  onTestFinished(() => provider.close())
  return provider
}

/** A source that knows nothing but what a test tells it. */
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

/** What a model says to `hello`. */
export async function ask({ model }: ResolvedModel): Promise<string> {
  const { text } = await generateText({ model: model as LanguageModel, prompt: 'hello', maxRetries: 0 })
  return text
}

/** A folder with these files, gone with the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-models-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
