import { describe, expect, it } from 'vitest'
import { ROUTES, type Route } from '../../../src/gateway/routes/routes.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const BODIES: Readonly<Record<Route['dialect'], object>> = {
  'anthropic-messages': { model: 'claude-haiku-5-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  'openai-chat': { model: 'gpt-4.1', max_completion_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'gpt-4.1', max_output_tokens: 100, input: 'hi' },
}

const VERSION = { 'anthropic-version': '2023-06-01' }

function ask(stage: Stage, route: Route, prefix: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${stage.gateway.url}${prefix}${route.path}`, {
    method: route.method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer made-up', ...VERSION, ...headers },
    ...(route.method === 'POST' ? { body: JSON.stringify(bodyFor(route)) } : {}),
  })
}

// A count has no cap.
function bodyFor({ dialect, kind }: Route): object {
  const uncapped = { max_tokens: undefined, max_output_tokens: undefined }
  return kind === 'count' ? { ...BODIES[dialect], ...uncapped } : BODIES[dialect]
}

describe('the routes of the gateway', () => {
  it('I5: are refused without a key, with an invalid one and with a foreign one, before a byte goes upstream', async () => {
    const stage = await startStage()
    const other = await startStage({
      admission: { scopeOf: async (key) => (key === 'stint_other' ? stage.run : null) },
    })
    expect(ROUTES.length).toBeGreaterThan(5)
    for (const route of ROUTES) {
      const answers = [
        await ask(stage, route, ''),
        await ask(stage, route, '/k/bad'),
        await ask(stage, route, `/k/${'x'.repeat(600)}`),
        await ask(stage, route, '', { 'x-stint-key': 'stint_other' }),
        await ask(stage, route, '', { 'x-api-key': 'stint_other' }),
        await ask(other, route, '', { authorization: `Bearer ${KEY}` }),
        await ask(stage, route, '', { authorization: `Bearer ${KEY}` }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401])
      expect(await answers[0]!.json()).toMatchObject({
        error: { type: expect.any(String), message: expect.any(String) },
      })
      expect((await ask(stage, route, `/k/${KEY}`)).status).toBe(200)
      expect((await ask(stage, route, '', { 'x-stint-key': KEY })).status).toBe(200)
    }
    expect(stage.provider.requestCount + stage.provider.counts.length).toBe(ROUTES.length * 2)
    expect(other.provider.requestCount + other.provider.counts.length).toBe(0)
  })

  it.each([{ modelCalls: 1 }, { tokens: 400 }, { cost: 0.001 }])(
    'I5: are refused with an empty budget before a byte goes upstream: %o',
    async (limits) => {
      const stage = await startStage({ limits })
      const room = await stage.run.reserve({ modelCalls: 1, tokens: 400, cost: 1_000_000 })
      if (room.kind === 'granted') await room.settle()
      for (const route of ROUTES) expect((await ask(stage, route, `/k/${KEY}`)).status).toBe(402)
      // Codex tries again after 402, and stops at 429 with this type.
      const answer = await ask(stage, ROUTES[3]!, `/k/${KEY}`, { 'x-codex-turn-metadata': '{}' })
      expect(answer.status).toBe(429)
      expect(await answer.json()).toMatchObject({ error: { type: 'insufficient_quota', code: 'budget_exceeded' } })
      expect(stage.provider.requestCount).toBe(0)
    },
  )

  it('refuse every other address and method, and what has no upstream', async () => {
    const stage = await startStage()
    for (const route of ROUTES) {
      const wrong = route.method === 'POST' ? 'GET' : 'POST'
      const answer = await fetch(`${stage.gateway.url}/k/${KEY}${route.path}`, { method: wrong })
      expect(answer.status).toBe(404)
    }
    const others = ['', '/', '/v1/messages', '/anthropic/v1/complete', '/openai/v1/embeddings', '/k/', `/k/${KEY}`]
    const tricks = [`/k/${KEY}//anthropic/v1/messages`, `/k/${KEY}/anthropic/v1/messages/`, '/anthropic%2fv1/messages']
    for (const path of [...others, ...tricks, `/k/${KEY}/anthropic/./v1/messages`, '/openai/v1/files/../models']) {
      const line = `POST ${path === '' ? '/' : path}`
      const { status } = await sendRaw(stage.gateway.port, [
        rawRequest(line, [`host: 127.0.0.1:${stage.gateway.port}`, `x-stint-key: ${KEY}`], '{}'),
      ])
      expect([path, status]).toEqual([path, 404])
    }
    const bare = await startStage({ gateway: { upstreams: {} } })
    for (const route of ROUTES) expect((await ask(bare, route, `/k/${KEY}`)).status).toBe(404)
    expect(stage.provider.requestCount).toBe(0)
  })

  it('I8: refuse other hosts, origins, repeated headers and absolute targets', async () => {
    const stage = await startStage()
    const { port } = stage.gateway
    const host = `host: 127.0.0.1:${port}`
    const key = `x-stint-key: ${KEY}`
    const body = JSON.stringify(BODIES['anthropic-messages'])
    const send = async (line: string, headers: readonly string[]): Promise<number> =>
      (await sendRaw(port, [rawRequest(line, ['content-type: application/json', ...headers], body)])).status
    const line = 'POST /anthropic/v1/messages'
    const auth = 'authorization: Bearer made-up\r\nanthropic-version: 2023-06-01'
    expect(await send(line, [host, key, auth])).toBe(200)
    expect(await send(line, [`host: localhost:${port}`, key, auth])).toBe(200)
    const refused = [
      [403, [`host: evil.example:${port}`, key]],
      [403, [`host: 127.0.0.1`, key]],
      [403, [key]],
      [403, [host, key, 'origin: https://evil.example']],
      [403, [host, key, `origin: http://127.0.0.1:${port}`]],
      [400, [host, `host: evil.example`, key]],
      [400, [host, host, key]],
      [400, [host, key, auth, 'Authorization: Bearer other']],
      [400, [host, key, 'x-api-key: one', 'X-Api-Key: two']],
      [400, [host, key, key]],
      [400, [host, key, `content-length: ${body.length}`]],
      [400, [host, key, 'transfer-encoding: chunked']],
      [400, [host, key, 'content-encoding: gzip']],
    ] as const
    for (const [status, headers] of refused) expect([headers, await send(line, headers)]).toEqual([headers, status])
    expect(await send(`POST http://127.0.0.1:${port}/anthropic/v1/messages`, [host, key])).toBe(400)
    expect(await send('POST http://evil.example/anthropic/v1/messages', [host, key])).toBe(400)
    expect(await send('POST *', [host, key])).toBe(400)
    expect(stage.provider.requestCount).toBe(2)
    const named = await startStage({ gateway: { allowedHosts: ['budget.example'] } })
    const request = rawRequest('GET /anthropic/v1/models', ['host: budget.example', key, auth])
    expect((await sendRaw(named.gateway.port, [request])).status).toBe(200)
  })

  it('I8: refuse bodies that are too long, too deep or invalid JSON', async () => {
    const stage = await startStage({ bounds: { bodyBytes: 20_000 } })
    const send = (body: string): Promise<Response> =>
      fetch(`${stage.gateway.url}/k/${KEY}/anthropic/v1/messages`, { method: 'POST', body })
    const long = JSON.stringify({ ...BODIES['anthropic-messages'], system: 'x'.repeat(30_000) })
    expect((await send(long)).status).toBe(413)
    expect((await send(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)).status).toBe(400)
    for (const body of ['', '{', 'null', '[]', '"x"', '{"model":"a","model":"b"}', '\u0000']) {
      expect([body, (await send(body)).status]).toEqual([body, 400])
    }
    const { port } = stage.gateway
    const head = `POST /k/${KEY}/anthropic/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ntransfer-encoding: chunked\r\n\r\n`
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    expect((await sendRaw(port, [head, chunk, chunk])).status).toBe(413)
    expect(stage.provider.requestCount).toBe(0)
  })

  it('I8: cut off clients that take too long for their headers or their body', async () => {
    const stage = await startStage({ bounds: { clientHeadersMs: 100, clientBodyMs: 150 } })
    const { port } = stage.gateway
    const head = `POST /k/${KEY}/anthropic/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`
    const never = () => false
    expect((await sendRaw(port, [head], never)).status).toBe(408)
    const slow = await sendRaw(port, [`${head}content-length: 1000\r\n\r\n{"model":`], never)
    expect([0, 408]).toContain(slow.status)
    const wide = await sendRaw(port, [`${head}x-long: ${'x'.repeat(70_000)}\r\n\r\n`], never)
    expect(wide.status).toBe(431)
    expect(stage.provider.requestCount).toBe(0)
  })
})
