import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { addApiKey, send } from './api-server.fixture.ts'

const WAIT = { timeout: 60_000 }
const READ = { name: 'read', arguments: { path: 'turns.json' } }

it('an admin starts a run in a budget, and a program resumes it by its resume_url with a key', async () => {
  const turns = [...[1, 2, 3].map((turn) => ({ text: `turn ${turn}`, toolCalls: [READ] })), { text: 'all read' }]
  const home = realpathSync(
    createTemporaryFolder({
      'project/.stint/agents/reader.md':
        '---\nname: reader\ndescription: Reads.\nmodel: scripted/turns.json\ntools: [read]\n---\nRead.\n',
      'project/turns.json': JSON.stringify({ turns }),
    }),
  )
  const project = join(home, 'project')
  const env = { PATH: process.env.PATH ?? '', HOME: home, STINT_HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  const file = join(home, 'ledger.db')
  const store = createSqliteStore({ file })
  onTestFinished(() => store.dispose())
  const scopes = [{ id: 'team:core', name: 'team:core', kind: 'lasting', owner: null, limits: [] }] as const
  await store.open({ parentId: null, scopes, atMs: Date.now() })
  const [admin, viewer] = [await key('admin'), await key('viewer')]

  function key(role: 'admin' | 'viewer'): Promise<string> {
    return addApiKey(store, role, { scopeId: null, atMs: Date.now() })
  }

  const config = join(home, 'server.yaml')
  writeFileSync(config, `store: sqlite:${file}\nserve:\n  runs: { agents: [reader], folder: ${project} }\n`)
  await programEnds(['--trust', 'trust'])
  const server = spawn(process.execPath, [BUILT_PROGRAM, '--config', config, 'serve', '--port', '0', '--json'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = await once(createInterface(server.stdout!), 'line')
  const { port } = JSON.parse(String(line))
  const post = (path: string, by: string, body: object) =>
    send(port, {
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body,
    })

  async function programEnds(args: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [BUILT_PROGRAM, ...args], { cwd: project, env, stdio: 'ignore' })
    expect((await once(child, 'exit'))[0]).toBe(0)
  }

  const run = { agent: 'reader', task: 'read it', limits: ['turns=2:pause'], budget: 'team:core' }
  expect((await post('/api/runs', viewer, run)).status).toBe(403)
  expect((await post('/api/runs', admin, { ...run, agent: 'worker' })).status).toBe(404)
  const started = await post('/api/runs', admin, run)
  expect(started).toMatchObject({ status: 200, json: { agent: 'reader' } })
  const id = String(started.json?.id)
  const task = async () => {
    const { json } = await send(port, { path: `/api/tasks/${id}`, headers: { authorization: `Bearer ${viewer}` } })
    return json
  }
  await expect.poll(async () => (await task())?.status, WAIT).toBe('paused')
  const paused = await task()
  expect(paused).toMatchObject({ path: 'team:core/reader', workingFolder: project, resumeUrl: `/tasks/${id}/resume` })
  expect((await post(String(paused?.resumeUrl), viewer, { add: ['turns=2'] })).status).toBe(403)
  expect(await post(String(paused?.resumeUrl), admin, { add: ['turns=2'] })).toMatchObject({
    status: 200,
    json: { isStarted: true },
  })
  await expect.poll(async () => (await task())?.status, WAIT).toBe('completed')
  const [budget, scope] = (await store.read({ scopeId: id, atMs: Date.now() }))!
  expect([budget!.id, budget!.totals.modelCalls.settled, scope!.totals.modelCalls.settled]).toEqual(['team:core', 4, 4])
  const log = await store.history({ scopeId: id, kinds: ['agent_resumed', 'limit_raised'], atMs: Date.now() })
  if (log.kind === 'reset') throw new Error('the history was pruned')
  expect(log.entries.length).toBe(2)
  for (const { event } of log.entries) expect(event).toMatchObject({ by: expect.stringMatching(/^key /) })
}, 180_000)
