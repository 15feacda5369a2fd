import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createTestServer, type TestServer } from './api-server.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

async function statusWith(server: TestServer, headers: Readonly<Record<string, string>>, path = '/api/session') {
  return (await server.send({ path, headers })).status
}

it('accepts a link once, and for five minutes', async () => {
  const server = await createTestServer()
  const link = server.createLink()
  const first = await server.signIn({ link })
  expect(first).toMatchObject({ status: 200, json: { by: 'ann', role: 'admin', scopeId: null } })
  expect(await server.signIn({ link })).toMatchObject({ status: 401, json: { error: { code: 'not_signed_in' } } })
  const late = server.createLink()
  server.nowMs += 5 * MINUTE_MS
  expect((await server.signIn({ link: late })).status).toBe(401)
  expect((await server.signIn({ link: server.createLink() })).status).toBe(200)
})

it('hides the cookie from scripts, other sites and other paths', async () => {
  const server = await createTestServer()
  const { headers, text } = await server.signIn({ link: server.createLink() })
  const cookie = String(headers['set-cookie'])
  expect(cookie.replace(/=[^;]+;/, '=VALUE;')).toBe(
    `stint_session_${server.port}=VALUE; Path=/api; Max-Age=43199; HttpOnly; SameSite=Strict`.replace(
      '43199',
      /Max-Age=(\d+)/.exec(cookie)![1]!,
    ),
  )
  expect(text).not.toContain(cookie.split('=')[1]!.split(';')[0]!)
})

it('accepts a session on another replica, after a restart, and next to a cookie that another port has planted', async () => {
  const server = await createTestServer()
  const replica = await createTestServer({ file: server.file })
  const { read } = await server.browser()
  const moved = { ...read, cookie: read.cookie!.replace(String(server.port), String(replica.port)) }
  expect(await statusWith(replica, moved)).toBe(200)
  const name = read.cookie!.split('=')[0]
  expect(await statusWith(server, { ...read, cookie: `${name}=planted; ${read.cookie}; ${name}=a.b` })).toBe(200)
  expect(await statusWith(server, { ...read, cookie: `${name}=planted` })).toBe(401)
})

it('ends a session after twelve hours, when its key is revoked, and when it is signed out', async () => {
  const server = await createTestServer()
  const key = await server.key('viewer')
  const byKey = await server.browser(key)
  const byLink = await server.browser()
  expect(await statusWith(server, byKey.read)).toBe(200)
  const [record] = await server.store.keys({})
  await server.store.revokeKey({ keyId: record!.id, atMs: server.nowMs })
  server.nowMs += 1_000
  expect(await statusWith(server, byKey.read)).toBe(401)
  expect(await statusWith(server, { authorization: `Bearer ${key}` })).toBe(401)
  const other = await server.browser()
  const out = await server.send({ method: 'POST', path: '/api/session/end', headers: other.write, body: {} })
  expect(out).toMatchObject({ status: 200 })
  expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
  expect(await statusWith(server, other.read)).toBe(401)
  expect(await statusWith(server, byLink.read)).toBe(200)
  server.nowMs += 12 * HOUR_MS
  expect(await statusWith(server, byLink.read)).toBe(401)
})

it('trusts nothing in a changed cookie', async () => {
  const server = await createTestServer()
  const { read } = await server.browser(await server.key('viewer'))
  const [name, value = ''] = read.cookie!.split(/=(.*)/)
  const [payload = '', signature] = value.split('.')
  const session = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const raised = Buffer.from(JSON.stringify({ ...session, role: 'admin' })).toString('base64url')
  for (const forged of [
    `${raised}.${signature}`,
    `${raised}.`,
    `${raised}.${'A'.repeat(43)}`,
    `${payload}.${signature}.x`,
  ]) {
    expect(await statusWith(server, { ...read, cookie: `${name}=${forged}` })).toBe(401)
  }
  expect(await statusWith(server, read)).toBe(200)
})

it('records every change with who made it', async () => {
  const server = await createTestServer()
  await server.open({ id: 'run' })
  const key = await server.key('operator')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const [record] = await server.store.keys({})
  const by = `key ${record!.id}`
  expect((await server.send({ method: 'POST', path: '/api/scopes/run/pause', headers, body: {} })).status).toBe(200)
  const [paused] = (await server.store.read({ scopeId: 'run', atMs: server.nowMs }))!
  expect(paused!.pause).toMatchObject({ by, reason: `by ${by} on the dashboard` })
  const { write } = await server.browser()
  const limits = { method: 'POST', path: '/api/scopes/run/limits', headers: write, body: { limits: ['turns=5'] } }
  expect((await server.send(limits)).status).toBe(200)
  const log = await server.store.history({ scopeId: 'run', kinds: ['limit_raised'], atMs: server.nowMs })
  expect(log).toMatchObject({ entries: [{ event: { by: 'ann', limit: 5 } }] })
})

it('refuses repeated headers, and targets that are not paths', async () => {
  const server = await createTestServer()
  const authorization = `Bearer ${await server.key('admin')}`
  const host = `127.0.0.1:${server.port}`
  const twice = [
    { host: [host, 'evil.example'] },
    { host: ['evil.example', host] },
    { authorization: [authorization, authorization] },
    { origin: [server.origin, server.origin] },
    { cookie: ['a=b', 'c=d'] },
  ]
  for (const headers of twice) {
    const all = { authorization, ...headers }
    expect((await server.send({ path: '/api/tree', headers: all })).status, JSON.stringify(headers)).toBe(400)
  }
  expect((await server.send({ path: `http://${host}/api/tree`, headers: { authorization } })).status).toBe(400)
  expect((await server.send({ path: '/api/scopes/%E0%A4%A/explain', headers: { authorization } })).status).toBe(400)
})

it('reads only a bounded body, and closes the connection', async () => {
  const server = await createTestServer()
  const { write } = await server.browser()
  const body = { id: 'x'.repeat(600_000), limits: ['cost=1'] }
  const answer = await server.send({ method: 'POST', path: '/api/budgets', headers: write, body })
  expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
  for (const odd of ['', '{', '[]', 'null', '{"id":"a","limits":["cost=1"],"limit":1}', '{"id":5,"limits":[]}']) {
    const refused = await server.send({ method: 'POST', path: '/api/budgets', headers: write, body: odd })
    expect(refused, odd).toMatchObject({ status: 400, json: { error: { code: 'bad_request' } } })
  }
})

it('cuts off a client that never ends its request', async () => {
  const server = await createTestServer({}, { clientHeadersMs: 50, clientBodyMs: 50 })
  const { write } = await server.browser()
  const lines = Object.entries({ ...write, host: `127.0.0.1:${server.port}`, 'content-length': '100' })
  const text = `POST /api/budgets HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
  const heard = await new Promise<string>((resolve) => {
    let all = ''
    socket.on('data', (piece) => {
      all += piece.toString()
    })
    socket.on('close', () => resolve(all))
  })
  expect(heard).toMatch(/^HTTP\/1\.1 408 /)
})

it('serves only files of its page, whatever the path says', async () => {
  const server = await createTestServer()
  const missing = await server.send({ path: '/' })
  expect(missing).toMatchObject({ status: 404, text: expect.stringContaining('The page is not built') })
  expect(missing.headers['content-security-policy']).toContain("default-src 'none'")
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/../../x',
    '//etc/passwd',
  ]) {
    expect((await server.send({ path })).status, path).toBe(404)
  }
})
