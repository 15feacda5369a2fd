import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Gateway, startGateway } from '../../../src/gateway/index.ts'
import { createGovernor, type Governor } from '../../../src/governor/index.ts'
import type { LimitsInput } from '../../../src/policy/index.ts'
import { createPostgresStore, verifyLedger } from '../../../src/stores/postgres/index.ts'
import {
  createScriptedProvider,
  loopForEver,
  type ProviderScript,
  toolThenText,
} from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from '../gateway/agents.ts'
import { openStoreAt, useDatabase } from './database.fixture.ts'

const { newSchema } = useDatabase()

const KEY = 'team-key-0123456789'

interface Replica {
  readonly gateway: Gateway
  readonly governor: Governor
  readonly holder: string
}

/** Gateways on one ledger, as `stint serve` on as many machines, and clients whose requests go to each in turn. */
async function startReplicas(count: number, limits: LimitsInput, script: ProviderScript) {
  const { url } = await newSchema()
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const start = async (number: number): Promise<Replica> => {
    const holder = `machine ${number}`
    const store = createPostgresStore({ url })
    const governor = createGovernor({ store, holder, isHolderAlive: () => null, graceMs: 200 })
    await governor.budget('team:core', { limits })
    const gateway = await startGateway({
      upstreams: {
        anthropic: { baseUrl: provider.url, apiKey: null },
        openai: { baseUrl: provider.openaiUrl, apiKey: null },
      },
      admission: { scopeOf: async (key) => (key === KEY ? governor.budget('team:core') : null) },
      sharesConversations: true,
    })
    onTestFinished(async () => {
      await gateway.close(0)
      await governor.close()
      await store.dispose()
    })
    return { gateway, governor, holder }
  }
  const replicas: Replica[] = []
  for (let number = 0; number < count; number++) replicas.push(await start(number))
  const store = openStoreAt(url)
  let requests = 0
  /** Sends each request to the next one. */
  const inTurn: typeof fetch = (input, init) => {
    const { gateway } = replicas[requests++ % replicas.length]!
    const target = new URL(String(input instanceof Request ? input.url : input))
    return fetch(`${gateway.url}${target.pathname}${target.search}`, init)
  }
  const shared = { apiKey: 'made-up', maxRetries: 0, fetch: inTurn }
  return {
    url,
    provider,
    store,
    replicas,
    start,
    clients: {
      anthropic: () => new Anthropic({ baseURL: `http://gateway.test/k/${KEY}/anthropic`, ...shared }),
      openai: () => new OpenAI({ baseURL: `http://gateway.test/k/${KEY}/openai/v1`, ...shared }),
    },
    /** The scopes of conversations, and what is held for their closing calls. */
    async conversations() {
      const scopes = await store.list({ standing: 'all', parentId: 'team:core', atMs: Date.now() })
      const [team] = (await store.read({ scopeId: 'team:core', atMs: Date.now() }))!
      return { scopes, held: team!.limits.map(({ held }) => held) }
    },
    sent: () => provider.requests.map(({ body }) => body.toString()),
  }
}

const LIMITS = { toolCalls: 50, tokens: 500_000 }

describe('three gateways on one ledger, with requests in turn', () => {
  it.each(WIRES)('send the provider what one gateway sends it, in one scope with one hold (%s)', async (wire) => {
    const limits = { toolCalls: 8, tokens: 500_000 }
    const one = await startReplicas(1, limits, toolThenText(7))
    expect(await runAgent(one.clients, wire, { isStream: true })).toMatchObject({ error: null, requests: 8 })
    const three = await startReplicas(3, limits, toolThenText(7))
    expect(await runAgent(three.clients, wire, { isStream: true })).toMatchObject({ error: null, requests: 8 })
    // Also the budget line and the hints on each tool result, which are what a provider's cache depends on.
    expect(three.sent()).toEqual(one.sent())
    expect(three.sent().at(-1)).toMatch(/[0-9] of 8/)
    const [single, several] = [await one.conversations(), await three.conversations()]
    expect(several.scopes).toHaveLength(1)
    expect(several.scopes[0]).toMatchObject({
      owner: 'machine 1',
      totals: { modelCalls: { settled: 8 }, toolCalls: { settled: 7 } },
    })
    expect(several.held).toEqual(single.held)
    expect(Math.max(...several.held)).toBeGreaterThan(0)
    expect(await verifyLedger(three.url)).toMatchObject({ ok: true, problems: [] })
  })

  it('give a conversation one closing answer at its limit, whichever asks next', async () => {
    const { clients, provider, conversations } = await startReplicas(3, { toolCalls: 4 }, loopForEver())
    expect(await runAgent(clients, 'anthropic-messages')).toMatchObject({
      error: null,
      toolRuns: 4,
      text: 'This is how far I came.',
    })
    const sent = provider.requestCount
    for (let again = 0; again < 4; again++) {
      expect((await runAgent(clients, 'anthropic-messages')).error).toMatchObject({ status: 402 })
    }
    expect(provider.requestCount).toBe(sent)
    expect((await conversations()).scopes).toHaveLength(1)
  })

  it('serve two requests of a conversation at the same time, and neither is cut off', async () => {
    const { clients, conversations } = await startReplicas(3, LIMITS, toolThenText(5))
    const runs = await Promise.all([1, 2, 3, 4].map(() => runAgent(clients, 'openai-chat', { isStream: true })))
    expect(runs.map(({ error }) => error)).toEqual([null, null, null, null])
    const { scopes } = await conversations()
    expect(scopes).toHaveLength(1)
    expect(scopes[0]!.totals.modelCalls).toEqual({ settled: 24, reserved: 0 })
  })

  it('keep an agent of a session below it, whichever has seen the session first', async () => {
    const { clients, store, conversations } = await startReplicas(3, LIMITS, toolThenText(2))
    const headers = (agent: string | null) => ({
      'x-claude-code-session-id': 'session-1',
      ...(agent === null ? {} : { 'x-claude-code-agent-id': agent, 'x-claude-code-parent-agent-id': 'main' }),
    })
    for (const agent of [null, 'a1', 'a1', null]) {
      const task = `${agent}`
      expect(await runAgent(clients, 'anthropic-messages', { headers: headers(agent), task })).toMatchObject({
        error: null,
      })
    }
    const { scopes } = await conversations()
    expect(scopes.map(({ name }) => name)).toEqual(['session agent session-1'])
    const below = await store.list({ standing: 'all', parentId: scopes[0]!.id, atMs: Date.now() })
    expect(below.map(({ name }) => name)).toEqual(['agent a1'])
    expect(below[0]!.totals.modelCalls.settled).toBe(6)
  })
})

describe('a gateway that goes away', () => {
  it('by a crash: the next one continues its conversations, each in the same scope with the same hold', async () => {
    const { clients, replicas, store, conversations } = await startReplicas(2, LIMITS, toolThenText(4))
    await runAgent(clients, 'anthropic-messages', { mostRounds: 1 })
    const before = await conversations()
    expect(before.scopes[0]).toMatchObject({ owner: 'machine 0' })
    // Nobody hears of it any more.
    replicas.shift()
    await store.assume({ holder: 'machine 0', atMs: Date.now() })
    expect((await conversations()).held).toEqual([0, 0])
    expect(await runAgent(clients, 'anthropic-messages')).toMatchObject({ error: null })
    const after = await conversations()
    expect(after.scopes.map(({ id }) => id)).toEqual(before.scopes.map(({ id }) => id))
    expect(after.scopes[0]).toMatchObject({ owner: 'machine 1', isOrphaned: false })
    expect(Math.max(...after.held)).toBeGreaterThan(0)
  })

  it('by a restart: only what it had last ends, and continues in another scope', async () => {
    const { clients, replicas, start, conversations } = await startReplicas(2, LIMITS, toolThenText(2))
    const stop = async () => {
      const [{ gateway, governor }] = replicas.splice(0, 1) as [Replica]
      await gateway.close(0)
      await governor.close()
    }
    const statuses = async () => (await conversations()).scopes.map(({ status }) => status)
    await runAgent(clients, 'openai-chat', { mostRounds: 2 })
    await stop()
    expect(await statuses()).toEqual(['running'])
    await stop()
    expect(await statuses()).toEqual(['completed'])
    replicas.push(await start(2), await start(3))
    expect(await runAgent(clients, 'openai-chat')).toMatchObject({ error: null })
    expect(await statuses()).toEqual(['completed', 'running'])
  })

  it('or stays: what a person stopped is over, at every gateway', async () => {
    const { clients, store, conversations } = await startReplicas(3, LIMITS, toolThenText(9))
    await runAgent(clients, 'openai-chat', { mostRounds: 2 })
    const [scope] = (await conversations()).scopes
    await store.close({ scopeId: scope!.id, status: 'stopped', by: 'ann', atMs: Date.now() })
    for (let again = 0; again < 3; again++) {
      expect((await runAgent(clients, 'openai-chat', { mostRounds: 1 })).error).not.toBeNull()
    }
    expect((await conversations()).scopes).toHaveLength(1)
  })
})
