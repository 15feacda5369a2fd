import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { startServer } from '../../browser/start-server.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { selfSigned } from '../postgres/self-signed.fixture.ts'
import { addApiKey, send, type Trust, type WireRequest } from './api-server.fixture.ts'

const NAME = 'stint.example.com'

/** The program on a fresh ledger with one budget, its certificate, and a key of an admin. */
async function startEncrypted(...flags: readonly string[]) {
  const { certificate, key } = selfSigned(NAME)
  const home = createTemporaryFolder({ 'cert.pem': certificate, 'key.pem': key })
  const store = createSqliteStore({ file: join(home, 'ledger.db') })
  onTestFinished(() => store.dispose())
  const scopes = [{ id: 'team:core', name: 'team:core', kind: 'lasting', owner: null, limits: [] }] as const
  await store.open({ parentId: null, scopes, atMs: Date.now() })
  const admin = await addApiKey(store, 'admin', { scopeId: null, atMs: Date.now() })
  const server = await startServer(
    home,
    0,
    flags.map((flag) => flag.replace('HOME', home)),
  )
  onTestFinished(() => server.stop())
  const trust: Trust = { ca: certificate, servername: NAME }
  const isPaused = async () => (await store.read({ scopeId: 'team:core', atMs: Date.now() }))!.at(-1)!.pause !== null
  return { server, port: Number(new URL(server.url).port), trust, admin, isPaused, certificate, key }
}

/** What a browser sends with a write from a page of this origin. */
function fromPage(host: string, origin: string): Readonly<Record<string, string>> {
  return { host, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
}

const PAUSE = { method: 'POST', path: '/api/scopes/team%3Acore/pause', body: {} } as const

it('speaks HTTPS with the given certificate, and accepts writes of the https page only', async () => {
  const flags = ['--allow-host', NAME, '--tls-cert', 'HOME/cert.pem', '--tls-key', 'HOME/key.pem']
  const { server, port, trust, isPaused } = await startEncrypted(...flags)
  const ask = (request: WireRequest) => send(port, request, trust)
  const host = `${NAME}:${port}`
  expect(server.url).toBe(`https://127.0.0.1:${port}`)
  expect(await ask({ path: '/health', headers: { host } })).toMatchObject({ status: 200 })
  await expect(send(port, { path: '/health', headers: { host } })).rejects.toThrow()
  const other = { ca: selfSigned(NAME).certificate, servername: NAME }
  await expect(send(port, { path: '/health', headers: { host } }, other)).rejects.toThrow('self-signed')

  const link = new URL(server.signIn).hash.replace('#sign-in=', '')
  const signIn = (origin: string) =>
    ask({ method: 'POST', path: '/api/session', headers: fromPage(host, origin), body: { link } })
  expect(await signIn(`http://${host}`)).toMatchObject({ status: 403 })
  const { status, headers, json } = await signIn(`https://${host}`)
  expect(status).toBe(200)
  const cookie = String(headers['set-cookie'])
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
  const session = { cookie: cookie.split(';')[0]!, 'x-stint-session': String(json?.token) }
  const pause = (origin: string) => ask({ ...PAUSE, headers: { ...fromPage(host, origin), ...session } })
  for (const origin of [`http://${host}`, `https://${NAME}`, 'https://evil.example.com', 'null']) {
    expect(await pause(origin)).toMatchObject({ status: 403 })
  }
  expect(await isPaused()).toBe(false)
  expect(await pause(`https://${host}`)).toMatchObject({ status: 200, json: { status: 'paused' } })
  expect(await isPaused()).toBe(true)
})

it('behind a proxy answers to its name and its https page only, whatever forwarded headers say', async () => {
  const { server, port, trust, admin, isPaused, certificate, key } = await startEncrypted('--behind-proxy', NAME)
  expect([server.url, server.signIn]).toEqual([`http://127.0.0.1:${port}`, `https://${NAME}/`])
  // A proxy that speaks HTTPS and passes on the Host header.
  const proxy = createServer({ cert: certificate, key }, (request, response) => {
    const { method, url, headers } = request
    const forwarded = { ...headers, 'x-forwarded-host': headers.host ?? '', 'x-forwarded-proto': 'https' }
    const passed = httpRequest({ host: '127.0.0.1', port, method, path: url, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const ask = (request: WireRequest) => send((proxy.address() as AddressInfo).port, request, trust)
  expect(server.signIn).not.toContain('#')
  expect(await ask({ path: '/health', headers: { host: NAME } })).toMatchObject({ status: 200 })

  const page = fromPage(NAME, `https://${NAME}`)
  const opened = await ask({ method: 'POST', path: '/api/session', headers: page, body: { key: admin } })
  expect(opened).toMatchObject({ status: 200, json: { role: 'admin' } })
  const cookie = String(opened.headers['set-cookie'])
  expect(cookie).toMatch(/; Secure$/)
  const session = { cookie: cookie.split(';')[0]!, 'x-stint-session': String(opened.json?.token) }
  for (const origin of [`http://${NAME}`, `https://${NAME}:8443`, `http://127.0.0.1:${port}`, 'https://evil.example']) {
    expect(await ask({ ...PAUSE, headers: { ...fromPage(NAME, origin), ...session } })).toMatchObject({ status: 403 })
  }
  // Anyone can send these: they make no other name ours.
  const forged = { 'x-forwarded-host': NAME, 'x-forwarded-proto': 'https', forwarded: `host=${NAME};proto=https` }
  const evil = { ...fromPage('evil.example', `https://${NAME}`), ...session, ...forged }
  expect(await send(port, { ...PAUSE, headers: evil })).toMatchObject({ status: 403 })
  expect(await isPaused()).toBe(false)
  expect(await ask({ ...PAUSE, headers: { ...page, ...session } })).toMatchObject({ status: 200 })
  expect(await isPaused()).toBe(true)
})
