import type { AnyLanguageModel } from '../../adapters/ai-sdk/index.ts'
import type { ProviderAccess } from './provider-access.ts'

/** How a provider is reached, and a replacement for `fetch`. */
interface Wire extends ProviderAccess {
  readonly fetch?: typeof fetch
}

/** Creates a model of the AI SDK. Loads only its provider's package. */
export async function openModel(provider: string, id: string, wire: Wire): Promise<AnyLanguageModel> {
  switch (provider) {
    case 'anthropic':
      return openAnthropic(id, wire)
    case 'openai':
      return openOpenAi(id, wire)
    case 'google':
      return openGoogle(id, wire)
    default:
      return openCompatible(provider, id, wire)
  }
}

async function openAnthropic(id: string, { baseUrl: baseURL, key, ...send }: Wire): Promise<AnyLanguageModel> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const { value = '', isBearer = false } = key ?? {}
  return createAnthropic({ baseURL, ...send, ...(isBearer ? { authToken: value } : { apiKey: value }) })(id)
}

async function openOpenAi(id: string, { baseUrl: baseURL, key, ...send }: Wire): Promise<AnyLanguageModel> {
  const [{ createOpenAI }, { defaultSettingsMiddleware, wrapLanguageModel }] = await Promise.all([
    import('@ai-sdk/openai'),
    import('ai'),
  ])
  const provider = createOpenAI({ baseURL, ...send, apiKey: key?.value ?? '' })
  if (!speaksResponses(baseURL)) return provider.chat(id)
  // Each request has the whole conversation, so that its size is known before it is sent and nothing is stored.
  const middleware = defaultSettingsMiddleware({ settings: { providerOptions: { openai: { store: false } } } })
  return wrapLanguageModel({ model: provider.responses(id), middleware })
}

async function openGoogle(id: string, { baseUrl: baseURL, key, ...send }: Wire): Promise<AnyLanguageModel> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  return createGoogleGenerativeAI({ baseURL, ...send, apiKey: key?.value ?? '' })(id)
}

async function openCompatible(
  name: string,
  id: string,
  { baseUrl: baseURL, key, ...send }: Wire,
): Promise<AnyLanguageModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  // Without this a stream doesn't report usage, and the worst case would be charged.
  const settings = { name, baseURL, ...send, includeUsage: true }
  return createOpenAICompatible(key === null ? settings : { ...settings, apiKey: key.value })(id)
}

/** OpenAI's own addresses and our gateway speak the Responses API; others rarely do. */
function speaksResponses(baseUrl: string): boolean {
  const { hostname, pathname } = new URL(baseUrl)
  return /(?:^|\.)api\.openai\.com$/.test(hostname) || /\/k\/[^/]+\/openai\/v1$/.test(pathname)
}
