import { expect, it } from 'vitest'
import { createGatewayKey, hashGatewayKey } from '../../../src/gateway/keys/index.ts'
import { API } from '../../../src/server/contract/api.ts'
import type { ApiRoute } from '../../../src/server/contract/api-route.ts'
import type { RouteName } from '../../../src/server/contract.ts'
import { routeNames } from '../../../src/server/routes/find-api-route.ts'
import { createTestServer, type TestServer } from './api-server.fixture.ts'

/** Bodies that each write takes. */
const BODIES: Partial<Record<RouteName, object>> = {
  'POST /api/session': { link: 'x' },
  'POST /api/scopes/:id/limits': { limits: ['cost=2'] },
  'POST /api/budgets': { id: 'team:new', limits: ['cost=1'] },
  'POST /api/assumed/:id/settle': { amounts: { toolCalls: 1 } },
  'POST /api/assumed/:id/forgive': { reason: 'never sent' },
  'POST /api/runs': { agent: 'developer', task: 'work' },
  'POST /api/keys': { role: 'viewer' },
}

/** Queries without which an address refuses. */
const QUERIES: Partial<Record<RouteName, string>> = {
  'GET /api/reports/spend': '?by=model',
  'GET /api/reports/trial': '?agent=developer&limits=turns%3D5',
}

const ROUTES = routeNames().map((name) => {
  const [method = '', path = ''] = name.split(' ')
  const route: ApiRoute = API[name]
  return { name, method, path, route }
})
const CLOSED = ROUTES.filter(({ route }) => route.role !== null)

/** A server with a scope of ours and a foreign one, each with a run, and who may call. */
async function createStage() {
  const server = await createTestServer()
  for (const team of ['team:ours', 'team:foreign']) {
    await server.open({ id: team, kind: 'lasting', owner: null })
    await server.open({ id: `run-of-${team}` }, team)
  }
  return server
}

function asked(name: RouteName, id: string) {
  const { method, path, route } = ROUTES.find((one) => one.name === name)!
  const query = QUERIES[name] ?? ''
  return {
    method,
    path: `${path.replace(':id', encodeURIComponent(id))}${query}`,
    ...(route.body === undefined ? {} : { body: BODIES[name] ?? {} }),
  }
}

async function statusesOf(
  server: TestServer,
  names: readonly RouteName[],
  headers: Readonly<Record<string, string>>,
  id = 'run-of-team:ours',
) {
  const statuses = new Map<string, number>()
  for (const name of names) {
    const request = asked(name, id)
    const json = request.body === undefined ? {} : { 'content-type': 'application/json' }
    statuses.set(name, (await server.send({ ...request, headers: { ...json, ...headers } })).status)
  }
  return statuses
}

function all(names: readonly RouteName[], status: number) {
  return new Map(names.map((name) => [name, status]))
}

const closed = CLOSED.map(({ name }) => name)
const writes = CLOSED.filter(({ route }) => route.body !== undefined).map(({ name }) => name)

it('knows every route in its table', () => {
  expect(closed.length).toBeGreaterThan(30)
  expect(writes.length).toBeGreaterThan(12)
})

it('I5: refuses every route without credentials, to a cookie without its token, a token without its cookie, and bad keys', async () => {
  const server = await createStage()
  const { read } = await server.browser()
  const { cookie, 'x-stint-session': token } = read
  const gatewayKey = createGatewayKey()
  const key = { keyId: 'wire', scopeId: 'team:ours', hash: hashGatewayKey(gatewayKey), atMs: server.nowMs }
  await server.store.addKey(key)
  const own = { origin: server.origin, 'sec-fetch-site': 'same-origin' }
  const nobodies: readonly Readonly<Record<string, string>>[] = [
    {},
    { ...own, cookie: cookie! },
    { ...own, 'x-stint-session': token! },
    { ...own, cookie: cookie!, 'x-stint-session': 'A'.repeat(43) },
    { ...own, cookie: `${cookie}x`, 'x-stint-session': token! },
    { authorization: 'Bearer stint_api_nonsense' },
    { authorization: `Bearer ${(await server.key('admin')).slice(0, -2)}AA` },
    { authorization: `Bearer ${gatewayKey}` },
    { 'x-api-key': gatewayKey },
    { 'x-stint-key': gatewayKey },
  ]
  for (const headers of nobodies) {
    expect(await statusesOf(server, closed, headers), JSON.stringify(headers)).toEqual(all(closed, 401))
  }
  expect(server.faults).toEqual([])
})

it('I8: refuses every route, open ones too, under a foreign Host and from a foreign Origin', async () => {
  const server = await createStage()
  const names = ROUTES.map(({ name }) => name)
  const { write } = await server.browser()
  const key = { authorization: `Bearer ${await server.key('admin')}` }
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { host: 'evil.example' },
    { host: `evil.example:${server.port}` },
    { host: `127.0.0.1:${server.port + 1}` },
    { host: '127.0.0.1' },
    { host: '' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    // Another port of the same host: cookies would go along.
    { origin: `http://127.0.0.1:${server.port + 1}` },
    { origin: `http://localhost:${server.port}` },
    { origin: `https://127.0.0.1:${server.port}` },
  ]
  for (const headers of foreign) {
    expect(await statusesOf(server, names, { ...key, ...headers })).toEqual(all(names, 403))
    expect(await statusesOf(server, names, { ...write, ...headers })).toEqual(all(names, 403))
  }
})

it('refuses every browser write without Origin, Sec-Fetch-Site or JSON, and of a key with a cookie', async () => {
  const server = await createStage()
  const { write, read } = await server.browser()
  const { origin: _, ...withoutOrigin } = write
  const { 'sec-fetch-site': __, ...withoutSite } = write
  const browserWrites = writes.filter((name) => name !== 'POST /tasks/:id/resume')
  for (const headers of [withoutOrigin, withoutSite, { ...write, 'sec-fetch-site': 'same-site' }]) {
    expect(await statusesOf(server, browserWrites, headers)).toEqual(all(browserWrites, 403))
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16']) {
    expect(await statusesOf(server, browserWrites, { ...write, 'content-type': type })).toEqual(all(browserWrites, 400))
  }
  const key = { authorization: `Bearer ${await server.key('admin')}` }
  expect(await statusesOf(server, writes, { ...key, cookie: read.cookie! })).toEqual(all(writes, 400))
  expect(await statusesOf(server, writes, { ...key, cookie: 'a=b' })).toEqual(all(writes, 400))
  const reads = CLOSED.filter(({ route }) => route.body === undefined).map(({ name }) => name)
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect(await statusesOf(server, reads, { ...read, 'sec-fetch-site': site })).toEqual(all(reads, 403))
  }
})

it('refuses each role what needs a higher one, by the table', async () => {
  const server = await createStage()
  for (const role of ['viewer', 'operator'] as const) {
    const headers = { authorization: `Bearer ${await server.key(role)}` }
    const tooHigh = CLOSED.filter(
      ({ route }) => route.role === 'admin' || (role === 'viewer' && route.role === 'operator'),
    )
    const names = tooHigh.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(3)
    expect(await statusesOf(server, names, headers)).toEqual(all(names, 403))
  }
})

it('answers the same for a foreign scope and an unknown one, and reveals nothing of the whole ledger', async () => {
  const server = await createStage()
  const headers = { authorization: `Bearer ${await server.key('admin', 'team:ours')}` }
  const withId = CLOSED.filter(({ path, route }) => path.includes(':id') && route.reach === 'within')
  expect(withId.length).toBeGreaterThan(10)
  for (const { name } of withId) {
    const json = { 'content-type': 'application/json' }
    const answers: (readonly [number, string])[] = []
    for (const id of ['team:foreign', 'run-of-team:foreign', 'no-such-scope', 'stint:server']) {
      const answer = await server.send({ ...asked(name, id), headers: { ...json, ...headers } })
      answers.push([answer.status, answer.text.replaceAll(id, 'ID')])
    }
    expect(answers, name).toEqual(Array.from(answers, () => [404, answers[0]![1]]))
  }
  const whole = CLOSED.filter(({ route }) => route.reach === 'everything').map(({ name }) => name)
  expect(await statusesOf(server, whole, headers)).toEqual(all(whole, 403))
  const lists = CLOSED.filter(({ path, method, route }) => {
    return method === 'GET' && !path.includes(':id') && route.reach === 'within' && route.answer !== 'stream'
  })
  for (const { name } of lists) {
    const answer = await server.send({ ...asked(name, ''), headers })
    expect(answer.status, name).toBe(200)
    expect(answer.text, name).not.toContain('foreign')
  }
})

it('answers every route to permitted callers with its schema', async () => {
  const server = await createStage()
  const { write, read } = await server.browser()
  const statuses = new Map<string, number>()
  // What is stopped accepts no other change.
  const stopLast = CLOSED.toSorted(
    (left, right) => Number(left.path.endsWith('/stop')) - Number(right.path.endsWith('/stop')),
  )
  for (const { name, route } of stopLast) {
    if (name === 'GET /api/stream' || name === 'POST /api/session/end') continue
    const answer = await server.send({
      ...asked(name, 'run-of-team:ours'),
      headers: route.body === undefined ? read : write,
    })
    if (answer.status !== 200 || typeof route.answer === 'string') {
      if (answer.status !== 200) statuses.set(name, answer.status)
    } else expect(route.answer.safeParse(answer.json).error, name).toBe(undefined)
  }
  // What there is not here: tasks, requests, assumed calls, keys and paused scopes of these ids, and runs that may be started.
  expect(Object.fromEntries(statuses)).toEqual({
    'GET /api/budgets/:id': 404,
    'GET /api/tasks/:id': 404,
    'GET /api/tasks/:id/transcript': 404,
    'POST /api/assumed/:id/forgive': 404,
    'POST /api/assumed/:id/settle': 404,
    'POST /api/keys/:id/revoke': 404,
    'POST /api/requests/:id/approve': 404,
    'POST /api/requests/:id/deny': 404,
    'POST /api/runs': 403,
    'POST /api/tasks/:id/interrupt': 404,
    'POST /api/tasks/:id/resume': 404,
    'POST /tasks/:id/resume': 403,
  })
  expect(server.faults).toEqual([])
})
