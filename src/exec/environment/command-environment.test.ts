import { describe, expect, it } from 'vitest'
import { PLACEHOLDER } from '../../system/provider-variables.ts'
import { addressesOf, commandEnvironment } from './command-environment.ts'
import { readUpstreams } from './read-upstreams.ts'

const addresses = addressesOf('http://127.0.0.1:4000', 'KEY')
const environment = (env: Record<string, string>, allowedKeys: readonly string[] = []) =>
  commandEnvironment(env, { addresses, furtherKeys: ['OUR_KEY'], allowedKeys, own: { STINT_RUN: 'run-1' } })

describe('the environment of a governed command', () => {
  it('points every address of the common SDKs and programs at the gateway, with the run’s key in the path', () => {
    const { env } = environment({ PATH: '/bin', OPENAI_BASE_URL: 'https://proxy.example/v1' })
    expect(env).toEqual({
      PATH: '/bin',
      STINT_RUN: 'run-1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/k/KEY/anthropic',
      ANTHROPIC_API_URL: 'http://127.0.0.1:4000/k/KEY/anthropic',
      ANTHROPIC_API_BASE: 'http://127.0.0.1:4000/k/KEY/anthropic',
      OPENAI_BASE_URL: 'http://127.0.0.1:4000/k/KEY/openai/v1',
      OPENAI_API_BASE: 'http://127.0.0.1:4000/k/KEY/openai/v1',
    })
  })

  it('I10: contains no provider key, even of providers that the gateway does not support', () => {
    const keys = {
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      ANTHROPIC_AUTH_TOKEN: 'token-secret',
      OPENAI_API_KEY: 'sk-secret',
      GEMINI_API_KEY: 'gemini-secret',
      OPENROUTER_API_KEY: 'or-secret',
      OUR_KEY: 'own-secret',
    }
    const { env, keptBack } = environment(keys)
    expect(JSON.stringify(env)).not.toContain('secret')
    expect([...keptBack].sort()).toEqual(Object.keys(keys).sort())
    expect(Object.keys(keys).map((name) => env[name])).toEqual(Object.keys(keys).map(() => PLACEHOLDER))
  })

  it('I10: contains no copy of such a key under another name or inside a value', () => {
    const key = 'sk-secret-0123456789'
    const headers = { ANTHROPIC_CUSTOM_HEADERS: `x-api-key: ${key}\nx-team: core` }
    const { env, keptBack } = environment({ OPENAI_API_KEY: key, MY_MODEL_KEY: key, ALLOWED: key, ...headers }, [
      'ALLOWED',
    ])
    expect(env).toMatchObject({
      MY_MODEL_KEY: PLACEHOLDER,
      ALLOWED: key,
      ANTHROPIC_CUSTOM_HEADERS: `x-api-key: ${PLACEHOLDER}\nx-team: core`,
    })
    expect(keptBack).toEqual(['OPENAI_API_KEY', 'MY_MODEL_KEY', 'ANTHROPIC_CUSTOM_HEADERS'])
    expect(environment({ OPENAI_API_KEY: 'none', MODE: 'none' }).env).toMatchObject({ MODE: 'none' })
  })

  it('adds no key that was not there, and keeps a client’s login', () => {
    const { env, keptBack } = environment({ CLAUDE_CODE_OAUTH_TOKEN: 'own', GITHUB_TOKEN: 'other', OPENAI_API_KEY: '' })
    expect(keptBack).toEqual([])
    expect(env).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: 'own', GITHUB_TOKEN: 'other', OPENAI_API_KEY: '' })
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY')
  })

  it('keeps an allowed key', () => {
    const { env, keptBack } = environment({ GEMINI_API_KEY: 'mine', XAI_API_KEY: 'other' }, ['GEMINI_API_KEY'])
    expect(env).toMatchObject({ GEMINI_API_KEY: 'mine', XAI_API_KEY: PLACEHOLDER })
    expect(keptBack).toEqual(['XAI_API_KEY'])
  })

  it('reports variables that make a client bypass the gateway', () => {
    expect(environment({ CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '0' }).detours).toEqual([
      'CLAUDE_CODE_USE_BEDROCK',
    ])
  })
})

describe('the upstreams of a governed command', () => {
  it('are the public ones, and the client’s credentials pass through if there is no key', () => {
    expect(readUpstreams({})).toEqual({
      anthropic: { baseUrl: 'https://api.anthropic.com', apiKey: null },
      openai: { baseUrl: 'https://api.openai.com/v1', apiKey: null },
    })
  })

  it('are those of the environment, with their keys', () => {
    const env = {
      ANTHROPIC_BASE_URL: 'https://proxy.example/a/',
      ANTHROPIC_AUTH_TOKEN: 'token',
      ANTHROPIC_API_KEY: 'key',
      OPENAI_API_BASE: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'sk-1',
    }
    expect(readUpstreams(env)).toEqual({
      anthropic: { baseUrl: 'https://proxy.example/a', apiKey: 'token', keyHeader: 'authorization' },
      openai: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-1', keyHeader: 'authorization' },
    })
    expect(readUpstreams({ ANTHROPIC_API_KEY: 'key' }).anthropic).toMatchObject({ keyHeader: 'x-api-key' })
  })

  it('are those of the config if the environment names none', () => {
    const openai = { baseUrl: 'https://operator.example/v1', apiKey: 'operator' }
    expect(readUpstreams({ OPENAI_API_KEY: 'mine' }, { openai }).openai).toEqual(openai)
    expect(readUpstreams({ OPENAI_BASE_URL: 'https://x.example' }, { openai }).openai.baseUrl).toBe('https://x.example')
  })

  it.each(['nonsense', 'file:///etc/passwd', 'localhost:8080', 'ftp://me:secret@host', 'https://me:secret@host/v1'])(
    'are refused, without being shown, if they are not addresses: %s',
    (text) => {
      expect(() => readUpstreams({ OPENAI_BASE_URL: text })).toThrow(/OPENAI_BASE_URL is "…", but must be an address/)
    },
  )
})
