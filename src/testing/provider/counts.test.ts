import { describe, expect, it } from 'vitest'
import { createGate } from './gate.ts'
import {
  anthropicAt,
  COUNT_PATHS,
  errorIn,
  openaiAt,
  PLAIN,
  post,
  postCount,
  startProvider,
} from './provider.fixture.ts'

const words = (tokens: number) => 'word'.repeat(tokens)
const COUNTED = {
  'anthropic-messages': {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: words(2_000), cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    messages: [{ role: 'user', content: 'hello there' }],
  },
  'openai-responses': {
    model: 'gpt-5',
    instructions: words(2_000),
    tools: [{ type: 'function', name: 'read' }],
    input: 'hello there',
  },
} as const
const COUNT_WIRES = Object.keys(COUNT_PATHS) as readonly (keyof typeof COUNT_PATHS)[]
const CALL = {
  'anthropic-messages': { max_tokens: 4_000, stream: true },
  'openai-responses': { stream: true },
} as const

describe.each(COUNT_WIRES)('a count of tokens, %s', (wire) => {
  it('equals what a call with that body is charged as input, cached or not', async () => {
    const provider = await startProvider()
    const { input_tokens } = (await (await postCount(provider, wire, COUNTED[wire])).json()) as Record<string, number>
    for (let round = 0; round < 2; round++)
      await (await post(provider, wire, { ...COUNTED[wire], ...CALL[wire] })).text()
    const charged = provider
      .book()
      .entries.map(({ usage }) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens)
    expect(charged).toEqual([input_tokens, input_tokens])
    expect(provider.book().entries[1]!.usage.cacheReadTokens).toBeGreaterThan(0)
  })

  it('has its own line in the book: no call, no cost, no request, nothing cached', async () => {
    const provider = await startProvider()
    for (let round = 0; round < 2; round++) await (await postCount(provider, wire, COUNTED[wire])).text()
    expect(provider.book()).toMatchObject({ requests: 0, costNanoUsd: 0, entries: [] })
    expect(provider).toMatchObject({ requestCount: 0, requests: [], inFlight: 0, mostInFlight: 0 })
    expect(provider.counts).toMatchObject([
      { number: 1, dialect: wire, path: COUNT_PATHS[wire], outcome: 'answered', status: 200 },
      { number: 2, outcome: 'answered' },
    ])
    expect(JSON.parse(provider.counts[0]!.body.toString())).toEqual(COUNTED[wire])
    await (await post(provider, wire, { ...COUNTED[wire], ...CALL[wire] })).text()
    expect(provider.book().usage.cacheReadTokens).toBe(0)
  })

  it.each([
    { 'anthropic-messages': { max_tokens: 100 }, 'openai-responses': { max_output_tokens: 100 } },
    { 'anthropic-messages': { stream: true }, 'openai-responses': { stream: true } },
    { 'anthropic-messages': { metadata: {} }, 'openai-responses': { store: false } },
  ])('refuses fields that only a call may have: %j', async (more) => {
    const provider = await startProvider()
    // A beta, or a client that may send its own fields, does not change that.
    const headers = { authorization: 'Bearer made-up', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' }
    const body = { ...COUNTED[wire], ...more[wire] }
    const response = await postCount(provider, wire, body, { headers: { ...headers, originator: 'codex' } })
    expect(response.status).toBe(400)
    expect((await errorIn(response)).message).toContain(Object.keys(more[wire])[0])
    expect(provider.counts).toMatchObject([{ outcome: 'refused', status: 400, inputTokens: null }])
  })

  it('refuses what a call refuses: an unknown model, a wrong key', async () => {
    const provider = await startProvider({ apiKeys: ['sk-right'], models: {} })
    const send = (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' }
      return postCount(provider, wire, COUNTED[wire], { headers })
    }
    expect((await send('sk-wrong')).status).toBe(401)
    expect((await send('sk-right')).status).toBe(404)
  })

  it.each([404, 405, 429, 500])('fails with %i if the script says so, and then counts again', async (status) => {
    const provider = await startProvider({
      counts: () => ({ fault: { kind: 'status', status, retryAfterSeconds: 3 } }),
    })
    const response = await postCount(provider, wire, COUNTED[wire])
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '3'])
    expect((await errorIn(response)).message).toBe(`The script says ${status}.`)
    provider.playCounts(() => ({}))
    expect((await postCount(provider, wire, COUNTED[wire])).status).toBe(200)
    expect(provider.counts).toMatchObject([{ outcome: 'failed', status, inputTokens: null }, { outcome: 'answered' }])
  })

  it('hangs until the client disconnects', async () => {
    const provider = await startProvider({ counts: () => ({ fault: { kind: 'hang' } }) })
    const leaving = new AbortController()
    const response = postCount(provider, wire, COUNTED[wire], { signal: leaving.signal })
    await provider.until(({ counts }) => counts[0]?.body.length !== undefined && counts[0].body.length > 0)
    leaving.abort()
    await expect(response).rejects.toThrow()
    await provider.until(({ counts }) => counts[0]!.outcome === 'gone')
  })

  it('waits at a gate, and then counts', async () => {
    const startGate = createGate()
    const provider = await startProvider({ counts: () => ({ startGate }) })
    const response = postCount(provider, wire, COUNTED[wire])
    await provider.until(({ counts }) => counts.length === 1)
    expect(provider.counts[0]!.outcome).toBe('running')
    startGate.open()
    expect((await response).status).toBe(200)
  })

  it('can end the connection, return broken JSON, or return anything', async () => {
    const provider = await startProvider({ counts: () => ({ fault: { kind: 'no-answer' } }) })
    await expect(postCount(provider, wire, COUNTED[wire])).rejects.toThrow()
    provider.playCounts(() => ({ fault: { kind: 'malformed' } }))
    await expect((await postCount(provider, wire, COUNTED[wire])).json()).rejects.toThrow()
    provider.playCounts(() => ({ says: { input_tokens: -1 } }))
    expect(await (await postCount(provider, wire, COUNTED[wire])).json()).toEqual({ input_tokens: -1 })
    expect(provider.counts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'answered'])
  })
})

describe('with the official SDKs', () => {
  it('returns a form that they can read', async () => {
    const provider = await startProvider()
    const { model, messages } = PLAIN['anthropic-messages'] as { model: string; messages: [] }
    expect(await anthropicAt(provider).messages.countTokens({ model, messages })).toEqual({ input_tokens: 1 })
    const { inputTokens } = openaiAt(provider).responses
    const counted = await inputTokens.count({ model: 'gpt-5', input: 'hi' })
    expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: 1 })
  })
})
