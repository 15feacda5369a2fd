import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { KeyRole, LedgerStore, NewScope } from '../../../src/core/index.ts'
import { type GatewayBounds, startGateway } from '../../../src/gateway/index.ts'
import { createApiKey, createKeyAdmission, hashGatewayKey } from '../../../src/gateway/keys/index.ts'
import { createGovernor } from '../../../src/governor/index.ts'
import { createMetrics } from '../../../src/observe/metrics/index.ts'
import { openServerScope, SERVER_SCOPE_ID } from '../../../src/operate/keys/server-scope.ts'
import { createApiServer, type ServerOptions } from '../../../src/server/create-server.ts'
import type { RunRequest } from '../../../src/server/server-context.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'

/** A request as it goes over the wire: headers are sent as they are, also twice. */
export interface WireRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** `null` if it is not JSON. */
  readonly json: { readonly [field: string]: unknown } | null
}

/** The certificate that a client trusts, and the name that it must be for. */
export interface Trust {
  readonly ca: string
  readonly servername: string
}

/** Sends one request, and reads the whole answer. `trust`: over TLS. */
export function send(
  port: number,
  { method = 'GET', path, headers = {}, body }: WireRequest,
  trust: Trust | null = null,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const length = bytes === null ? {} : { 'content-length': String(bytes.length) }
    const all = Object.entries({ host: `127.0.0.1:${port}`, ...length, ...headers })
    const raw = all.flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]))
    const options = { host: '127.0.0.1', port, method, path, headers: raw, agent: false } as const
    const asked = trust === null ? httpRequest(options) : httpsRequest({ ...options, ...trust })
    asked.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonFrom(text) })
      })
    })
    asked.on('error', reject)
    asked.end(bytes ?? undefined)
  })
}

function jsonFrom(text: string): WireAnswer['json'] {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A browser that has signed in: what it sends with each request. */
export interface Browser {
  readonly read: Readonly<Record<string, string>>
  readonly write: Readonly<Record<string, string>>
}

export interface TestServer {
  readonly store: LedgerStore
  readonly file: string
  readonly port: number
  readonly origin: string
  readonly faults: unknown[]
  readonly runs: RunRequest[]
  readonly resumed: { readonly id: string; readonly add: readonly string[]; readonly by: string }[]
  nowMs: number
  createLink(): string | null
  send(request: WireRequest): Promise<WireAnswer>
  open(scope: Partial<NewScope> & { readonly id: string }, parentId?: string | null): Promise<void>
  /** A new key; `scopeId`: `null` for everything. */
  key(role: KeyRole, scopeId?: string | null): Promise<string>
  signIn(credentials: object): Promise<WireAnswer>
  /** Signs in with a link, or with a key. */
  browser(key?: string): Promise<Browser>
  browserOf(answer: WireAnswer): Browser
  close(): Promise<void>
}

/** Adds a key of the API; `scopeId`: `null` for everything. */
export async function addApiKey(
  store: LedgerStore,
  role: KeyRole,
  { scopeId, atMs }: { readonly scopeId: string | null; readonly atMs: number },
): Promise<string> {
  const key = createApiKey()
  if (scopeId === null) await openServerScope(store, atMs)
  const hash = hashGatewayKey(key)
  await store.addKey({ keyId: hash.slice(0, 12), scopeId: scopeId ?? SERVER_SCOPE_ID, hash, role, by: 'ann', atMs })
  return key
}

/** A server on a ledger in a file, and a gateway without upstreams, on a free port of loopback. */
export async function createTestServer(
  { file: given, ...options }: Partial<ServerOptions> & { readonly file?: string } = {},
  bounds: Partial<GatewayBounds> = {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-server-'))
  const file = given ?? join(folder, 'ledger.db')
  const store = createSqliteStore({ file })
  const faults: unknown[] = []
  const runs: RunRequest[] = []
  const resumed: { id: string; add: readonly string[]; by: string }[] = []
  const shift = { ms: 0 }
  const nowMs = (): number => Date.now() + shift.ms
  const api = createApiServer({
    store,
    version: '0.0.0-test',
    userName: 'ann',
    upstreams: [],
    ceilings: [],
    tasksFolder: join(folder, 'tasks'),
    pagesFolder: null,
    starter: {
      agents: null,
      async start(run) {
        runs.push(run)
        return { id: 'new-run' }
      },
      async resume(task) {
        resumed.push(task)
      },
    },
    metrics: createMetrics({ store, nowMs }),
    isHolderAlive: (holder) => !holder.startsWith('dead'),
    nowMs,
    onFault: (error) => faults.push(error),
    ...options,
  })
  const governor = createGovernor({ store })
  const gateway = await startGateway({
    upstreams: {},
    admission: createKeyAdmission(store, governor),
    otherRequests: api,
    bounds,
  })
  const { port } = gateway
  const address = { host: '127.0.0.1', port, allowedHosts: [], isEncrypted: false, proxyName: null, isLocal: true }
  api.listensOn(address)
  const origin = `http://127.0.0.1:${port}`
  const write = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  let isClosed = false
  const server: TestServer = {
    store,
    file,
    port,
    origin,
    faults,
    runs,
    resumed,
    get nowMs() {
      return nowMs()
    },
    set nowMs(wanted) {
      shift.ms += wanted - nowMs()
    },
    createLink: () => api.createLink(),
    send: (request) => send(port, request),
    async open(scope, parentId = null) {
      const scopes = [{ name: scope.id, kind: 'agent', owner: 'holder', limits: [], ...scope } as const]
      const { kind } = await store.open({ parentId, scopes, atMs: nowMs() })
      if (kind !== 'opened') throw new Error(`${scope.id} was not opened: ${kind}`)
    },
    key: (role, scopeId = null) => addApiKey(store, role, { scopeId, atMs: nowMs() }),
    signIn: (credentials) => send(port, { method: 'POST', path: '/api/session', headers: write, body: credentials }),
    browserOf({ headers, json }) {
      const cookie = [headers['set-cookie']].flat()[0]?.split(';')[0] ?? ''
      const read = { cookie, 'x-stint-session': String(json?.token), 'sec-fetch-site': 'same-origin' }
      return { read, write: { ...read, ...write } }
    },
    async browser(key) {
      return server.browserOf(await server.signIn(key === undefined ? { link: api.createLink() } : { key }))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await gateway.close(0)
      await governor.close()
      await store.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  onTestFinished(() => server.close())
  return server
}
