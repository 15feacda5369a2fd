import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { createGatewayKey, hashGatewayKey } from '../../../src/gateway/keys/index.ts'
import { createSqliteStore, verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createScriptedProvider } from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { startReceiver } from './receiver.fixture.ts'

const TEAMS = 24
const CALLS_BEFORE_ALERT = 1
const KILLS = 6
const CALLERS = 6
const LEASE = 'webhook ops'
const WAIT = { timeout: 120_000, interval: 5 }

it('a server that is killed under load loses no alert, raises none twice, and sends each under one id', async () => {
  const { received, url } = await startReceiver((_, count) => (count % 3 === 0 ? 500 : 204))
  const provider = await createScriptedProvider({ apiKeys: ['sk-of-the-provider'] })
  onTestFinished(() => provider.close())
  const folder = createTemporaryFolder({
    'config/stint/config.yaml': `upstreams:
  anthropic: { baseUrl: "${provider.url}", apiKeyEnv: PROVIDER_KEY }
alerts:
  busy: { meter: modelCalls, above: ${CALLS_BEFORE_ALERT}, per: day }
webhooks:
  ops: { url: "${url}", events: [alert_raised] }
`,
  })
  const file = join(folder, 'ledger.db')
  const store = createSqliteStore({ file })
  onTestFinished(() => store.dispose())
  const teams = await Promise.all(Array.from({ length: TEAMS }, (_, team) => addTeam(`team:${team}`)))

  async function addTeam(id: string) {
    const key = createGatewayKey()
    const atMs = Date.now()
    const scopes = [{ id, name: id, kind: 'lasting', owner: null, limits: [] }] as const
    await store.open({ parentId: null, scopes, atMs })
    await store.addKey({ keyId: `key of ${id}`, scopeId: id, hash: hashGatewayKey(key), atMs })
    return { id, key }
  }

  async function start(): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
    const child = spawn(process.execPath, [BUILT_PROGRAM, 'serve', '--port', '0', '--json'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        STINT_HOME: folder,
        XDG_CONFIG_HOME: join(folder, 'config'),
        PROVIDER_KEY: 'sk-of-the-provider',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = await once(createInterface(child.stdout!), 'line')
    return { child, origin: JSON.parse(String(line)).url }
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Its lease would run out in half a minute.
    const reading = await store.leased({ lease: LEASE })
    if (reading !== null) await store.lease({ lease: LEASE, holder: reading.holder, forMs: 0, atMs: Date.now() })
  }

  const raised = async (): Promise<readonly string[]> => {
    const pages = teams.map(async ({ id }) => {
      const page = await store.history({ scopeId: id, kinds: ['alert_raised'], atMs: Date.now() })
      if (page.kind === 'reset') throw new Error('the history was pruned')
      return page.entries.map(({ number, event }) => `${id}:${number} ${event.event === 'alert_raised' && event.rule}`)
    })
    return (await Promise.all(pages)).flat()
  }
  const sentIds = (): Set<string> => new Set(received.map(({ body }) => JSON.parse(body).id))

  let server = await start()
  await expect.poll(async () => (await store.leased({ lease: LEASE }))?.text ?? null, WAIT).not.toBe(null)
  const load = { isOver: false, answered: 0, asked: 0 }
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!load.isOver) {
      const { key } = teams[load.asked++ % TEAMS]!
      const body = { model: 'claude-opus-4-5', max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${server.origin}/anthropic/v1/messages`, init).catch(() => null)
      await answer?.text().catch(() => {})
      if (answer?.status === 200) load.answered++
      // Nobody listens between two servers.
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  for (let kills = 1; kills <= KILLS; kills++) {
    const before = { answered: load.answered, received: received.length }
    await expect.poll(() => load.answered, WAIT).toBeGreaterThan(before.answered + CALLERS)
    // In the middle of what is sent, once there is something.
    const isSending = (await raised()).length > 0 && sentIds().size < TEAMS
    if (isSending) await expect.poll(() => received.length, WAIT).toBeGreaterThan(before.received)
    await kill(server.child)
    server = await start()
  }
  await expect.poll(() => load.answered, WAIT).toBeGreaterThan(TEAMS * (CALLS_BEFORE_ALERT + 1))
  await expect.poll(async () => (await raised()).length, WAIT).toBe(TEAMS)
  load.isOver = true
  await Promise.all(callers)
  const alerts = await raised()
  expect(alerts.map((alert) => alert.replace(/:\d+ /, ' ')).sort()).toEqual(teams.map(({ id }) => `${id} busy`).sort())
  const ids = alerts.map((alert) => alert.split(' ')[0]!)
  await expect.poll(() => sentIds().size, WAIT).toBe(TEAMS)
  expect([...sentIds()].sort()).toEqual(ids.toSorted())
  const bodies = new Map(received.map(({ body }) => [JSON.parse(body).id, body]))
  for (const { body } of received) expect(bodies.get(JSON.parse(body).id)).toBe(body)
  await kill(server.child)
  expect(verifyLedger(file)).toMatchObject({ ok: true })
}, 600_000)
