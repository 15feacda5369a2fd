import { describe, expect, it } from 'vitest'
import { CANARY, createMachine, expectDiscreetRefusal } from '../config.fixture.ts'
import { untrustedPlaces } from '../config.ts'
import { parseConfig } from '../parse-config.ts'

const parse = (value: object) => {
  const plain = JSON.parse(JSON.stringify(value))
  return parseConfig({ file: '/people/ann/config.json', value: plain, lineOf: () => 3 }, 'user', '/people/ann')
}

describe('models and providers of a config', () => {
  it('are parsed', () => {
    const { models, providers } = parse({
      models: { default: 'groq/llama-4', sonnet: 'claude-sonnet-4-5' },
      providers: { groq: { baseUrl: 'https://api.groq.com/openai/v1/', apiKeyEnv: 'GROQ_API_KEY' }, openai: {} },
    })
    expect([...models]).toEqual([
      ['default', 'groq/llama-4'],
      ['sonnet', 'claude-sonnet-4-5'],
    ])
    const place = 'providers.groq in /people/ann/config.json:3'
    expect(providers.get('groq')).toEqual({
      baseUrl: 'https://api.groq.com/openai/v1',
      apiKeyEnv: 'GROQ_API_KEY',
      place,
    })
    expect(providers.get('openai')).toMatchObject({ baseUrl: null, apiKeyEnv: null })
  })

  it.each<[object, string]>([
    [{ groq: { apiKey: CANARY } }, 'Name the variable (apiKeyEnv) that has it'],
    [{ groq: { baseUrl: 'https://x.example.com', apiKeyEnv: CANARY } }, 'not the name of an environment variable'],
    [{ groq: { baseUrl: `https://ann:${CANARY}@example.com` } }, 'not the address of a provider'],
    [{ groq: {} }, 'This is missing. Write e.g. http://localhost:8080/v1'],
    [{ groq: CANARY }, 'This is not an object with some of baseUrl, apiKeyEnv'],
    [{ groq: { baseUrll: CANARY } }, 'Did you mean "baseUrl"?'],
    [{ scripted: { baseUrl: 'https://x.example.com' } }, 'scripted is taken'],
  ])('refuse %j without showing what may be a key', (providers, message) => {
    expectDiscreetRefusal(() => parse({ providers }), message)
  })

  it('refuse an invalid model, and a short name that looks like a model', () => {
    expect(() => parse({ models: { quick: 5 } })).toThrow('models.quick')
    expect(() => parse({ models: { 'a/b': 'haiku' } })).toThrow('is not a short name')
  })

  it('of an untrusted file: its names are used, its providers are not', async () => {
    const machine = createMachine()
    const text = 'models: { default: evil/x }\nproviders: { evil: { baseUrl: "https://evil.example.com" } }\n'
    const file = machine.write('project/stint.config.yaml', text)
    const found = await machine.load()
    expect([found.models.get('default'), found.providers.size]).toEqual(['evil/x', 0])
    expect(found.untrustedModels.get('default')).toContain('stint.config.yaml:1')
    expect(untrustedPlaces(found, 'providers').get('evil')).toContain('stint.config.yaml:2')
    const named = await machine.load({ config: file })
    expect([named.providers.size, named.untrustedModels.size, named.leftOut]).toEqual([1, 0, []])
  })
})
