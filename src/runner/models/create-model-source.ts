import { assertKnownOptions, createAgingMap, optionNames, suggestName } from '../../core/index.ts'
import { isKnownProvider, KNOWN_PROVIDER_NAMES } from './known-providers.ts'
import { type ModelName, readModelName } from './model-name.ts'
import type { ModelSource, ModelSourceOptions, ResolvedModel } from './model-source.ts'
import { openModel } from './open-model.ts'
import { accessTo, type ProviderAccess } from './provider-access.ts'
import { openScripted } from './scripted/model-of-script.ts'
import { thinkingOptions } from './thinking/thinking-options.ts'
import { tokenCounter } from './token-counter.ts'
import { UnknownModelError, untrustedScript } from './unknown-model-error.ts'

const OPTIONS = optionNames<ModelSourceOptions>({
  env: true,
  models: true,
  untrustedModels: true,
  providers: true,
  foreignProviders: true,
  baseUrl: true,
  workingFolder: true,
})

const MOST_UNCOUNTED = 256

/** Resolves model names to models of the AI SDK. Sends nothing, and returns a new model each time. */
export function createModelSource(options: ModelSourceOptions): ModelSource {
  assertKnownOptions('createModelSource', options, OPTIONS)
  const uncounted = createAgingMap<true>(MOST_UNCOUNTED)
  return {
    async resolve(written): Promise<ResolvedModel> {
      const { provider, id, namedBy } = readModelName(written, options)
      const untrusted = namedBy === null ? {} : { namedBy }
      if (provider === 'scripted') {
        if (namedBy !== null) throw untrustedScript(`scripted/${id}`, namedBy)
        return openScripted(id, options.workingFolder)
      }
      const name = `${provider}/${id}`
      const access = accessOrRefuse({ provider, id }, options)
      const model = await openModel(provider, id, access)
      const openWith = (send: typeof fetch) => openModel(provider, id, { ...access, fetch: send })
      return {
        name,
        model,
        ...tokenCounter({ name, provider: model.provider, openWith, uncounted }),
        thinkingOptions: (level) => thinkingOptions(provider, id, level),
        ...untrusted,
      }
    },
  }
}

function accessOrRefuse(
  { provider, id }: Pick<ModelName, 'provider' | 'id'>,
  options: ModelSourceOptions,
): ProviderAccess {
  const name = `${provider}/${id}`
  const { foreignProviders, providers } = options
  const place = foreignProviders?.get(provider)
  if (place !== undefined && !providers.has(provider) && !isKnownProvider(provider)) {
    const reason = `an untrusted config must not decide where requests and keys are sent (${place})`
    const remedy =
      'Trust the folder (stint trust), put the provider into your own config (~/.config/stint/config.yaml), ' +
      'or name that file: --config FILE.'
    throw new UnknownModelError(name, reason, remedy)
  }
  const known = [...KNOWN_PROVIDER_NAMES, ...providers.keys(), 'scripted']
  const nearest = known.includes(provider) ? null : suggestName(provider, known)
  const access = nearest === null ? accessTo(provider, name, options) : null
  if (access !== null) return access
  const reason = `unknown provider ${JSON.stringify(provider)} (known: ${known.join(', ')})`
  const remedy =
    'To use another one that speaks OpenAI’s chat completions, add it to your config: ' +
    `providers: { ${provider}: { baseUrl: …, apiKeyEnv: … } }.`
  throw new UnknownModelError(name, reason, remedy, nearest === null ? null : `${nearest}/${id}`)
}
