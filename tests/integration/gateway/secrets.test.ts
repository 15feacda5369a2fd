import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { loopForEver } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { KEY, startStage } from './stage.ts'

const PROVIDER_KEY = 'sk-canary-of-the-provider-7731'
const CLIENT_KEY = 'sk-canary-of-the-client-9942'
const STINT_KEY = 'stint_canary_of_the_gateway_5517'

describe('secrets', () => {
  it('I8: no key is in a log, an error, an answer or the ledger, and the gateway’s own key never goes upstream', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-secrets-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const store = createSqliteStore({ file: join(folder, 'ledger.db') })
    const said: string[] = []
    const stage = await startStage({
      store,
      limits: { toolCalls: 2, cost: 1 },
      script: loopForEver(),
      provider: { apiKeys: [PROVIDER_KEY] },
      upstream: { apiKey: PROVIDER_KEY },
      admission: { scopeOf: async (key) => (key === STINT_KEY || key === KEY ? stage.run : null) },
      onEvent: (event) => said.push(JSON.stringify(event)),
    })
    const clients = {
      anthropic: () => stage.anthropic({ baseURL: `${stage.gateway.url}/anthropic`, apiKey: STINT_KEY }),
      openai: () => stage.openai({ baseURL: `${stage.gateway.url}/openai/v1`, apiKey: STINT_KEY }),
    }
    for (const wire of WIRES) {
      const run = await runAgent(clients, wire)
      if (run.error !== null) said.push(run.error.message, JSON.stringify(run.error))
      const bad = await runAgent(
        {
          anthropic: () => stage.anthropic({ apiKey: CLIENT_KEY }),
          openai: () => stage.openai({ apiKey: CLIENT_KEY }),
        },
        wire,
      )
      said.push(String(bad.error?.message), JSON.stringify(bad.error), bad.text)
    }
    expect(stage.provider.requestCount).toBeGreaterThan(2)
    for (const { rawHeaders, path } of stage.provider.requests) {
      const text = `${path} ${rawHeaders.join(' ')}`
      expect(text).toContain(PROVIDER_KEY)
      expect(text).not.toContain(CLIENT_KEY)
      expect(text).not.toContain(STINT_KEY)
      expect(text).not.toContain(KEY)
    }
    await stage.settle()
    for (const name of readdirSync(folder)) said.push(readFileSync(join(folder, name)).toString('latin1'))
    expect(said.length).toBeGreaterThan(10)
    for (const text of said) {
      for (const key of [PROVIDER_KEY, CLIENT_KEY, STINT_KEY, KEY]) expect(text.includes(key)).toBe(false)
    }
  })

  it('without a key of the operator the client’s own login is passed on, and nothing else', async () => {
    const stage = await startStage({ provider: { apiKeys: [CLIENT_KEY] } })
    const clients = {
      anthropic: () => stage.anthropic({ apiKey: CLIENT_KEY }),
      openai: () => stage.openai({ apiKey: CLIENT_KEY }),
    }
    for (const wire of WIRES) expect(await runAgent(clients, wire)).toMatchObject({ error: null })
    const bearer = { anthropic: () => stage.anthropic({ apiKey: null, authToken: CLIENT_KEY }), openai: clients.openai }
    expect(await runAgent(bearer, 'anthropic-messages')).toMatchObject({ error: null })
  })

  it('the key of an upstream is sent in the configured header', async () => {
    const stage = await startStage({ upstream: { apiKey: PROVIDER_KEY, keyHeader: 'authorization' } })
    await runAgent(stage, 'anthropic-messages')
    const { headers } = stage.provider.requests[0]!
    expect(headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`)
    expect(headers).not.toHaveProperty('x-api-key')
  })

  const NEEDED = {
    'anthropic-beta': 'a-beta',
    'openai-beta': 'a-beta',
    'x-stainless-retry-count': '2',
    'idempotency-key': 'once',
    'user-agent': 'an-agent/1.0',
    'x-claude-code-session-id': 'a-session',
  }
  const BILLED_BY = {
    'openai-organization': 'org-other',
    'openai-project': 'proj-other',
    'anthropic-organization-id': 'org-other',
    'api-key': 'another-key',
    'x-goog-user-project': 'another-project',
    'x-portkey-config': 'another-account',
    cookie: 'session=another',
  }
  const METHODS = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }

  it('I8: with a key of the operator no client decides who is billed, and the headers that clients need are passed on', async () => {
    const stage = await startStage({ upstream: { apiKey: PROVIDER_KEY } })
    const headers = { ...NEEDED, ...BILLED_BY, ...METHODS }
    for (const wire of WIRES) expect(await runAgent(stage, wire, { headers })).toMatchObject({ error: null })
    for (const sent of stage.provider.requests) {
      expect(sent.headers).toMatchObject({ ...NEEDED, 'content-type': 'application/json' })
      for (const name of Object.keys({ ...BILLED_BY, ...METHODS })) expect(sent.headers).not.toHaveProperty(name)
    }
  })

  it('with the client’s own login its organisation is passed on, and Stint still decides the rest', async () => {
    const stage = await startStage()
    const headers = { ...NEEDED, 'openai-organization': 'org-own', 'openai-project': 'proj-own', ...METHODS }
    for (const wire of WIRES) expect(await runAgent(stage, wire, { headers })).toMatchObject({ error: null })
    for (const sent of stage.provider.requests) {
      expect(sent.headers).toMatchObject({ ...NEEDED, 'openai-organization': 'org-own', 'openai-project': 'proj-own' })
      for (const name of Object.keys(METHODS)) expect(sent.headers).not.toHaveProperty(name)
    }
  })
})
