import { describe, expect, it } from 'vitest'
import { CANARY, createMachine, expectDiscreetRefusal } from '../config.fixture.ts'
import type { ConfigFile } from '../parse-config.ts'
import { parseConfig } from '../parse-config.ts'
import { readYaml } from '../read-document.ts'

const parse = (yaml: string): ConfigFile => parseConfig(readYaml('/etc/stint/config.yaml', yaml), 'user', '/the/home')

describe('upstreams in a config', () => {
  it('say where requests go and where the key is', () => {
    const yaml = `upstreams:
  anthropic: { baseUrl: https://llm.example.com/anthropic/, apiKeyEnv: MY_KEY }
  openai: { apiKeyFile: ./secrets/key }`
    expect([...parse(yaml).upstreams]).toEqual([
      [
        'anthropic',
        {
          baseUrl: 'https://llm.example.com/anthropic',
          key: { kind: 'variable', name: 'MY_KEY' },
          place: 'upstreams.anthropic in /etc/stint/config.yaml:2',
        },
      ],
      [
        'openai',
        {
          baseUrl: 'https://api.openai.com/v1',
          key: { kind: 'file', file: '/etc/stint/secrets/key' },
          place: 'upstreams.openai in /etc/stint/config.yaml:3',
        },
      ],
    ])
    expect(parse('upstreams: { openai: { apiKeyFile: ~/key } }').upstreams.get('openai')?.key).toEqual({
      kind: 'file',
      file: '/the/home/key',
    })
    expect(parse('upstreams: { anthropic: {} }').upstreams.get('anthropic')).toMatchObject({ key: null })
  })

  it.each([
    ['apiKey', `{ apiKey: ${CANARY} }`, 'A key does not belong in a config. Name the variable (apiKeyEnv)'],
    ['api_key', `{ api_key: ${CANARY} }`, 'A key does not belong'],
    ['authToken', `{ authToken: ${CANARY} }`, 'A key does not belong'],
    ['apiKeyEnv', `{ apiKeyEnv: ${CANARY} }`, 'not the name of an environment variable'],
    ['apiKeyEnv', `{ apiKeyEnv: { value: ${CANARY} } }`, 'not the name of an environment variable'],
    ['apiKeyFile', `{ apiKeyFile: [${CANARY}] }`, 'not the path of a file'],
    ['anthropic', CANARY, 'This is not an object with some of baseUrl, apiKeyEnv, apiKeyFile'],
    ['baseUrl', `{ baseUrl: "https://ann:${CANARY}@example.com" }`, 'not the address of a provider'],
    ['baseUrl', `{ baseUrl: "https://example.com/?key=${CANARY}" }`, 'not the address of a provider'],
    ['baseUrll', `{ baseUrll: ${CANARY} }`, 'Did you mean "baseUrl"?'],
    ['apiKeyFile', '{ apiKeyEnv: A, apiKeyFile: b }', 'keep one of apiKeyEnv and apiKeyFile'],
  ])('refuse %s if it may be a key, without showing it: %s', (field, value, message) => {
    expectDiscreetRefusal(() => parse(`upstreams: { anthropic: ${value} }`), field, message)
  })

  it('of an untrusted file are ignored without an error', async () => {
    const machine = createMachine()
    machine.write('project/stint.config.yaml', 'upstreams: { openai: { baseUrl: "https://evil.example.com" } }\n')
    expect((await machine.load()).upstreams.size).toBe(0)
  })
})
