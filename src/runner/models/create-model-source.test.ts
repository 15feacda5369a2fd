import { describe, expect, it } from 'vitest'
import { DEFAULT_PRICE_BOOK } from '../../pricing/index.ts'
import { sayOnce } from '../../testing/provider/index.ts'
import { KNOWN_PROVIDERS } from './known-providers.ts'
import { SHORT_NAMES } from './model-name.ts'
import { ask, sourceOf, startProvider } from './models.fixture.ts'
import { resolveModels } from './resolve-models.ts'

const KEYS = { ANTHROPIC_API_KEY: 'sk-a', OPENAI_API_KEY: 'sk-o', GEMINI_API_KEY: 'sk-g' }
const nameOf = async (name: string | null, options: Parameters<typeof sourceOf>[0] = {}) =>
  (await sourceOf({ env: KEYS, ...options }).resolve(name)).name

describe('the name of a model', () => {
  it.each([
    ['anthropic/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['openai/gpt-5', 'openai/gpt-5'],
    ['google/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['claude-opus-4-5', 'anthropic/claude-opus-4-5'],
    ['gpt-5-mini', 'openai/gpt-5-mini'],
    ['o3', 'openai/o3'],
    ['gemini-2.5-flash', 'google/gemini-2.5-flash'],
    ['haiku', 'anthropic/claude-haiku-5-5'],
    ['sonnet', 'anthropic/claude-sonnet-5-5'],
    ['opus', 'anthropic/claude-opus-5-5'],
  ])('%s means %s', async (written, meant) => {
    expect(await nameOf(written)).toBe(meant)
  })

  it('may be a short name of the config, which may refer to another', async () => {
    const models = { sonnet: 'claude-sonnet-4-5', quick: 'haiku', default: 'quick' }
    expect(await nameOf('sonnet', { models })).toBe('anthropic/claude-sonnet-4-5')
    expect(await nameOf('quick', { models })).toBe('anthropic/claude-haiku-5-5')
    expect(await nameOf(null, { models })).toBe('anthropic/claude-haiku-5-5')
    expect(await nameOf('inherit', { models })).toBe('anthropic/claude-haiku-5-5')
  })

  it('may be omitted: the default is that of a provider whose key is set', async () => {
    expect(await nameOf(null)).toBe('anthropic/claude-sonnet-5-5')
    expect(await nameOf(null, { env: { OPENAI_API_KEY: 'sk-o' } })).toBe('openai/gpt-6.1-sol')
    expect(await nameOf(null, { env: { GEMINI_API_KEY: 'sk-g' } })).toBe('google/gemini-4-argon')
    await expect(nameOf(null, { env: {} })).rejects.toMatchObject({ code: 'missing_key' })
  })

  it('keeps what follows the first slash, as routers name models', async () => {
    const providers = { router: { baseUrl: 'http://localhost:9/v1' } }
    expect(await nameOf('router/anthropic/claude-opus-5', { providers })).toBe('router/anthropic/claude-opus-5')
  })

  it.each([
    ['sonet', 'Did you mean "sonnet"?'],
    ['antropic/claude-opus-5', 'Did you mean "anthropic/claude-opus-5"?'],
    ['groq/llama', 'providers: { groq: { baseUrl: …, apiKeyEnv: … } }'],
    ['llama', 'it has no provider'],
    ['', 'it has no provider'],
    ['openai/', 'this is not a model name'],
    ['/gpt-5', 'this is not a model name'],
    ['openai/gpt 5', 'this is not a model name'],
    ['__proto__', 'it has no provider'],
    ['constructor/x', 'unknown provider "constructor"'],
  ])('%j is refused with a remedy', async (name, message) => {
    await expect(nameOf(name)).rejects.toMatchObject({
      code: 'unknown_model',
      message: expect.stringContaining(message),
    })
  })

  it('is refused if short names refer to each other', async () => {
    const models = { one: 'two', two: 'one' }
    await expect(nameOf('one', { models })).rejects.toThrow('its short names refer to each other')
  })

  it('has a price for every model that Stint chooses itself', () => {
    const chosen = [
      ...[...SHORT_NAMES.values()].map((name) => name.split('/')),
      ...Object.entries(KNOWN_PROVIDERS).map(([provider, { defaultModel }]) => [provider, defaultModel]),
    ]
    for (const [provider, id] of chosen) expect([id, DEFAULT_PRICE_BOOK.find(id!, { provider })]).not.toContain(null)
  })
})

describe('a key', () => {
  it.each([
    ['anthropic/claude-opus-5', 'ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) is not set'],
    ['openai/gpt-5', 'OPENAI_API_KEY is not set'],
    ['google/gemini-2.5-pro', 'GOOGLE_GENERATIVE_AI_API_KEY (or GEMINI_API_KEY) is not set'],
    ['mine/model', 'MY_KEY is not set'],
  ])('is refused if the key for %s is missing, before anything starts', async (name, message) => {
    const providers = { mine: { baseUrl: 'http://localhost:9/v1', apiKeyEnv: 'MY_KEY' } }
    await expect(sourceOf({ env: { MY_KEY: ' ' }, providers }).resolve(name)).rejects.toMatchObject({
      code: 'missing_key',
      message: expect.stringContaining(message),
    })
  })

  it('is refused if its key is not valid in a header, without showing the key', async () => {
    const resolving = sourceOf({ env: { OPENAI_API_KEY: 'sk-canary\nx' } }).resolve('openai/gpt-5')
    await expect(resolving).rejects.toThrow('OPENAI_API_KEY does not contain a valid key')
    await expect(resolving).rejects.not.toThrow('canary')
  })
})

describe('on the wire', () => {
  it.each([
    ['ANTHROPIC_BASE_URL without /v1', (url: string) => ({ env: { ...KEYS, ANTHROPIC_BASE_URL: url } })],
    ['--base-url without /v1', (url: string) => ({ env: KEYS, baseUrl: url })],
    ['--base-url with /v1', (url: string) => ({ env: KEYS, baseUrl: `${url}/v1/` })],
    ['the config', (url: string) => ({ env: KEYS, providers: { anthropic: { baseUrl: url } } })],
  ])('Anthropic is reached by %s, with its key', async (_, options) => {
    const provider = await startProvider({ script: sayOnce('hi'), apiKeys: ['sk-a'] })
    expect(await ask(await sourceOf(options(provider.url)).resolve('anthropic/claude-haiku-4-5'))).toBe('hi')
    expect(provider.requests.map(({ path, headers }) => [path, headers['x-api-key'], headers.authorization])).toEqual([
      ['/v1/messages', 'sk-a', undefined],
    ])
  })

  it('ANTHROPIC_AUTH_TOKEN is sent as a bearer token if there is no key', async () => {
    const provider = await startProvider({ script: sayOnce('hi'), apiKeys: ['token'] })
    const env = { ANTHROPIC_AUTH_TOKEN: 'token', ANTHROPIC_BASE_URL: provider.url }
    expect(await ask(await sourceOf({ env }).resolve('haiku'))).toBe('hi')
    expect(provider.requests[0]!.headers).toMatchObject({ authorization: 'Bearer token' })
    expect(provider.requests[0]!.headers).not.toHaveProperty('x-api-key')
  })

  it.each([
    ['OPENAI_BASE_URL with /v1', (url: string) => ({ env: { ...KEYS, OPENAI_BASE_URL: url } })],
    ['--base-url', (url: string) => ({ env: KEYS, baseUrl: url })],
  ])('another address of OpenAI’s (%s) gets chat completions', async (_, options) => {
    const provider = await startProvider({ script: sayOnce('hi'), apiKeys: ['sk-o'] })
    expect(await ask(await sourceOf(options(provider.openaiUrl)).resolve('openai/gpt-5'))).toBe('hi')
    expect(provider.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })

  it('OpenAI itself and our own gateway get responses, with storage turned off', async () => {
    const gateway = 'http://127.0.0.1:7433/k/stint_x/openai/v1'
    for (const env of [KEYS, { ...KEYS, OPENAI_BASE_URL: gateway }]) {
      const { model } = await sourceOf({ env }).resolve('openai/gpt-5')
      expect(model.provider).toBe('openai.responses')
    }
  })

  it('a provider of the config is reached at its address, with its key or without one', async () => {
    const provider = await startProvider({ script: sayOnce('hi') })
    const providers = {
      mine: { baseUrl: provider.openaiUrl, apiKeyEnv: 'MY_KEY' },
      open: { baseUrl: provider.openaiUrl },
    }
    const source = sourceOf({ env: { ...KEYS, MY_KEY: 'sk-mine' }, providers })
    expect(await ask(await source.resolve('mine/llama-4'))).toBe('hi')
    await expect(ask(await source.resolve('open/llama-4'))).rejects.toThrow("You didn't provide an API key.")
    expect(provider.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/chat/completions', 'Bearer sk-mine'],
      ['/v1/chat/completions', undefined],
    ])
  })

  it('--base-url alone defines a provider, which gets no key', async () => {
    const provider = await startProvider({ script: sayOnce('hi') })
    const { model } = await sourceOf({ env: KEYS, baseUrl: provider.openaiUrl }).resolve('local/llama-4')
    await expect(ask({ model, name: '', thinkingOptions: () => ({}) })).rejects.toThrow('API key')
    expect(JSON.stringify(provider.requests[0]!.headers)).not.toContain('sk-')
  })

  it('an address of Google’s is used unchanged', async () => {
    const provider = await startProvider()
    const source = sourceOf({ env: KEYS, baseUrl: `${provider.url}/v1beta` })
    await expect(ask(await source.resolve('google/gemini-2.5-flash'))).rejects.toThrow()
    const [{ path, headers }] = provider.requests as never as [{ path: string; headers: Record<string, string> }]
    expect([path, headers['x-goog-api-key']]).toEqual(['/v1beta/models/gemini-2.5-flash:generateContent', 'sk-g'])
  })

  it.each(['nowhere', 'ftp://example.com', 'http://ann:canary@example.com', 'https://example.com/?key=canary'])(
    '%s is not a base URL, and the error shows no part that may be secret',
    async (baseUrl) => {
      const resolving = sourceOf({ env: KEYS, baseUrl }).resolve('haiku')
      await expect(resolving).rejects.toThrow('--base-url is')
      await expect(resolving).rejects.not.toThrow('canary')
    },
  )
})

describe('a provider of an untrusted config', () => {
  it('is ignored, with a notice', async () => {
    const foreignProviders = { evil: 'providers.evil in stint.config.yaml:3', openai: 'providers.openai in x:4' }
    const source = sourceOf({ env: KEYS, foreignProviders })
    await expect(source.resolve('evil/gpt-5')).rejects.toThrow(
      'must not decide where requests and keys are sent (providers.evil in stint.config.yaml:3)',
    )
    expect((await source.resolve('openai/gpt-5')).model.provider).toBe('openai.responses')
  })
})

describe('a short name of an untrusted config', () => {
  it('reports where it is written, also behind another short name, and only there', async () => {
    const models = { default: 'mine', mine: 'theirs', theirs: 'openai/gpt-5', own: 'openai/gpt-5' }
    const untrustedModels = { theirs: 'models.theirs in stint.config.yaml:2' }
    const source = sourceOf({ env: KEYS, models, untrustedModels })
    for (const name of [null, 'mine', 'theirs']) {
      expect((await source.resolve(name)).namedBy).toBe('models.theirs in stint.config.yaml:2')
    }
    for (const name of ['own', 'openai/gpt-5', 'sonnet']) expect((await source.resolve(name)).namedBy).toBeUndefined()
  })

  it('cannot name a script, which would decide what any agent does', async () => {
    const models = { default: 'scripted/x.json', sonnet: 'scripted/x.json' }
    const place = 'models.default in stint.config.yaml:1'
    const source = sourceOf({ env: KEYS, models, untrustedModels: { default: place, sonnet: place } })
    for (const name of [null, 'sonnet']) {
      await expect(source.resolve(name)).rejects.toThrow('names a script to replace the model')
    }
    const untrusted = { 'scripted/x.json': 'model in .stint/agents/helper.md:3' }
    const named = { resolve: async () => ({ name: 'scripted/x.json' }) as never }
    await expect(resolveModels(named, 'scripted/x.json', [], untrusted)).rejects.toThrow('.stint/agents/helper.md:3')
  })
})
