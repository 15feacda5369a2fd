import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { parseLimits, resolveLimits } from '../../../src/policy/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { type Browser, createTestServer, type TestServer } from './api-server.fixture.ts'

interface StreamEvent {
  readonly event: string
  readonly id: string | null
  readonly data: {
    readonly scopes?: readonly ShownRow[]
    readonly gone?: readonly string[]
    readonly requests?: readonly { readonly id: string; readonly status: string }[]
  }
}

interface ShownRow {
  readonly id: string
  readonly status: string
  readonly usage: { readonly toolCalls?: { readonly settled: number; readonly reserved: number } }
}

/** A client that follows the stream, and what it has heard. */
function follow(server: TestServer, caller: string | Browser, since: string | null) {
  const events: StreamEvent[] = []
  const state = { hasEnded: false, status: 0 }
  const query = since === null ? '' : `?since=${encodeURIComponent(since)}`
  const asked = request({
    host: '127.0.0.1',
    port: server.port,
    path: `/api/stream${query}`,
    headers: typeof caller === 'string' ? { authorization: `Bearer ${caller}` } : caller.read,
  })
  asked.on('response', (response) => {
    state.status = response.statusCode ?? 0
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null
        const event = field('event')
        if (event !== null) events.push({ event, id: field('id'), data: JSON.parse(field('data') ?? '{}') })
      }
    })
    response.on('close', () => {
      state.hasEnded = true
    })
  })
  asked.on('error', () => {})
  asked.end()
  onTestFinished(() => void asked.destroy())
  const latest = (id: string) => events.flatMap(({ data }) => data.scopes ?? []).findLast((row) => row.id === id)
  return {
    events,
    state,
    latest,
    lastId: () => events.findLast(({ id }) => id !== null)?.id ?? null,
    stop: () => asked.destroy(),
  }
}

async function cursorOf(server: TestServer, key: string) {
  const { json } = await server.send({ path: '/api/tree', headers: { authorization: `Bearer ${key}` } })
  return String(json?.cursor)
}

async function spend(server: TestServer, store: TestServer['store'], scopeId: string, id: string) {
  const atMs = server.nowMs
  await store.reserve({ reservationId: id, scopeId, amounts: { toolCalls: 1 }, holder: 'holder', atMs })
  await store.settle({ reservationId: id, actual: { toolCalls: 1 }, atMs })
}

it('shows what another process spends, on the run and on its budget', async () => {
  const server = await createTestServer()
  const { limits } = resolveLimits([parseLimits({ turns: 100 })])
  await server.open({ id: 'team:core', kind: 'lasting', owner: null, limits })
  await server.open({ id: 'run' }, 'team:core')
  const key = await server.key('viewer')
  const client = follow(server, key, await cursorOf(server, key))
  const other = createSqliteStore({ file: server.file })
  onTestFinished(() => other.dispose())
  await expect.poll(() => client.state.status).toBe(200)
  await other.reserve({
    reservationId: 'open',
    scopeId: 'run',
    amounts: { toolCalls: 1 },
    holder: 'far',
    atMs: server.nowMs,
  })
  await expect.poll(() => client.latest('team:core')?.usage.toolCalls).toMatchObject({ settled: 0, reserved: 1 })
  await other.settle({ reservationId: 'open', actual: { toolCalls: 1 }, atMs: server.nowMs })
  await expect.poll(() => client.latest('team:core')?.usage.toolCalls).toMatchObject({ settled: 1, reserved: 0 })
  expect(client.latest('run')?.usage.toolCalls).toMatchObject({ settled: 1 })
})

it('loses nothing between two connections, and says when a cursor is too old', async () => {
  const server = await createTestServer()
  for (const id of ['one', 'two', 'three']) await server.open({ id })
  const key = await server.key('viewer')
  const cursor = await cursorOf(server, key)
  const first = follow(server, key, cursor)
  await expect.poll(() => first.state.status).toBe(200)
  await spend(server, server.store, 'one', 'a')
  await expect.poll(() => first.latest('one')?.usage.toolCalls?.settled).toBe(1)
  first.stop()
  const since = first.lastId()
  await spend(server, server.store, 'two', 'b')
  await server.store.close({ scopeId: 'three', status: 'completed', atMs: server.nowMs })
  const second = follow(server, key, since)
  await expect.poll(() => second.latest('two')?.usage.toolCalls?.settled).toBe(1)
  await expect.poll(() => second.latest('three')?.status).toBe('completed')
  expect(second.latest('one')).toBe(undefined)
  for (const odd of ['nonsense', `other.${cursor.split('.')[1]}`, `${cursor}9999`]) {
    const reset = follow(server, key, odd)
    await expect.poll(() => reset.state.hasEnded).toBe(true)
    expect(reset.events.map(({ event }) => event)).toEqual(['reset'])
  }
})

it('shows a caller only what is in its scope, and ends with its key', async () => {
  const server = await createTestServer()
  for (const team of ['team:ours', 'team:foreign']) {
    await server.open({ id: team, kind: 'lasting', owner: null })
    await server.open({ id: `run-of-${team}` }, team)
  }
  const key = await server.key('viewer', 'team:ours')
  const client = follow(server, key, await cursorOf(server, key))
  await expect.poll(() => client.state.status).toBe(200)
  await spend(server, server.store, 'run-of-team:foreign', 'a')
  await spend(server, server.store, 'run-of-team:ours', 'b')
  await expect.poll(() => client.latest('run-of-team:ours')?.usage.toolCalls?.settled).toBe(1)
  expect(JSON.stringify(client.events)).not.toContain('foreign')
  const [record] = await server.store.keys({})
  await server.store.revokeKey({ keyId: record!.id, atMs: server.nowMs })
  await expect.poll(() => client.state.hasEnded).toBe(true)
})

it('sends requests for more, and their answers', async () => {
  const server = await createTestServer()
  const { limits } = resolveLimits([parseLimits({ turns: 5 }, { layer: 'call' })])
  await server.open({ id: 'run', limits })
  const key = await server.key('operator')
  const client = follow(server, key, await cursorOf(server, key))
  await expect.poll(() => client.state.status).toBe(200)
  const atMs = server.nowMs
  const ask = { requestId: 'more', scopeId: 'run', key: 'run toolCalls', settled: 0, asked: 5, reason: 'work' }
  const [scope] = (await server.store.read({ scopeId: 'run', atMs }))!
  const { balanceKey } = await import('../../../src/core/index.ts')
  await server.store.ask({ ...ask, key: balanceKey('run', scope!.limits[0]!.limit), expiresAtMs: atMs + 60_000, atMs })
  const statuses = () => client.events.flatMap(({ data }) => (data.requests ?? []).map(({ status }) => status))
  await expect.poll(statuses).toEqual(['open'])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const approved = await server.send({
    method: 'POST',
    path: '/api/requests/more/approve',
    headers,
    body: { amount: 3 },
  })
  expect(approved).toMatchObject({ status: 200, json: { request: { status: 'approved', granted: 3 } } })
  await expect.poll(statuses).toEqual(['open', 'approved'])
})

it('opens a bounded number of streams', async () => {
  const bounds = { streams: 3, streamsOfCaller: 2, tickMs: 20, pingMs: 1_000, blockedMs: 1_000, recheckMs: 1_000 }
  const server = await createTestServer({ streams: bounds })
  const [first, second] = [await server.key('viewer'), await server.key('viewer')]
  const open = []
  for (const key of [first, first, first, second, second]) {
    const client = follow(server, key, null)
    await expect.poll(() => client.state.status).toBeGreaterThan(0)
    open.push(client)
  }
  expect(open.map(({ state }) => state.status)).toEqual([200, 200, 503, 200, 503])
  open[0]!.stop()
  await expect
    .poll(async () => {
      const client = follow(server, second, null)
      await expect.poll(() => client.state.status).toBeGreaterThan(0)
      return client.state.status
    })
    .toBe(200)
})

it('counts the streams of a key and of all sessions that were opened with it together', async () => {
  const bounds = { streams: 9, streamsOfCaller: 2, tickMs: 20, pingMs: 1_000, blockedMs: 1_000, recheckMs: 1_000 }
  const server = await createTestServer({ streams: bounds })
  const key = await server.key('viewer')
  const callers = [key, await server.browser(key), await server.browser(key), await server.browser()]
  const statuses: number[] = []
  for (const caller of callers) {
    const { state } = follow(server, caller, null)
    await expect.poll(() => state.status).toBeGreaterThan(0)
    statuses.push(state.status)
  }
  expect(statuses).toEqual([200, 200, 503, 200])
})

it('survives a stream that ends while everything changes', async () => {
  const bounds = { streams: 9, streamsOfCaller: 9, tickMs: 5, pingMs: 1_000, blockedMs: 1_000, recheckMs: 0 }
  const server = await createTestServer({ streams: bounds })
  await server.open({ id: 'run' })
  const key = await server.key('viewer')
  const client = follow(server, key, null)
  await expect.poll(() => client.state.status).toBe(200)
  const [record] = await server.store.keys({})
  await server.store.revokeKey({ keyId: record!.id, atMs: server.nowMs })
  // A write after the end of a stream would be an uncaught error here.
  for (let call = 0; call < 20_000 && !client.state.hasEnded; call++) {
    await spend(server, server.store, 'run', `call ${call}`)
  }
  expect(client.state.hasEnded).toBe(true)
  expect(await server.send({ path: '/health' })).toMatchObject({ status: 200 })
})

it('counts streams that are opened at the same moment', async () => {
  const bounds = { streams: 9, streamsOfCaller: 2, tickMs: 20, pingMs: 1_000, blockedMs: 1_000, recheckMs: 1_000 }
  const server = await createTestServer({ streams: bounds })
  const key = await server.key('viewer')
  const clients = Array.from({ length: 6 }, () => follow(server, key, null))
  const statuses = () => clients.map(({ state }) => state.status).sort()
  await expect.poll(statuses).toEqual([200, 200, 503, 503, 503, 503])
  const refused = await server.send({ path: '/api/stream', headers: { authorization: `Bearer ${key}` } })
  expect(refused.json).toMatchObject({ error: { message: 'Too many streams are open.' } })
  expect(server.faults).toEqual([])
})
