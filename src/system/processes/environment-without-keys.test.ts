import { describe, expect, it } from 'vitest'
import { environmentWithoutKeys } from './environment-without-keys.ts'

describe('the environment of a tool', () => {
  it('is ours, without provider keys, copies of them, and Stint’s own tokens', () => {
    const env = {
      PATH: '/bin',
      EMPTY: '',
      GONE: undefined,
      GITHUB_TOKEN: 'ghp_0123456789',
      OPENAI_API_KEY: 'sk-0123456789abc',
      HEADERS: 'Authorization: Bearer sk-0123456789abc',
      GEMINI_API_KEY: 'short',
      SHORT: 'a short word',
      MY_PROVIDER_KEY: 'mine',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/k/secret/openai/v1',
      ANTHROPIC_BASE_URL: 'https://proxy.example.com',
      STINT_SCOPE: 'x',
      STINT_KEY: 'x',
      STINT_HOME: '/state',
      STINT_RUN: 'outer',
    }
    expect(environmentWithoutKeys(env, ['MY_PROVIDER_KEY'])).toEqual({
      PATH: '/bin',
      EMPTY: '',
      GITHUB_TOKEN: 'ghp_0123456789',
      SHORT: 'a short word',
      ANTHROPIC_BASE_URL: 'https://proxy.example.com',
      STINT_HOME: '/state',
      STINT_RUN: 'outer',
    })
  })
})
