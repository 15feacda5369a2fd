import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TaskRecord } from '../../../src/runner/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { createTestServer } from './api-server.fixture.ts'

it('records who interrupted a task, in the history and in the journal', async () => {
  const record: TaskRecord = {
    id: 'task-1',
    subject: 'look around',
    description: null,
    agent: 'explore',
    task: 'look around',
    status: 'in_progress',
    runStatus: 'running',
    reason: null,
    error: null,
    resume_url: null,
    state: null,
    warnings: [],
    model: 'scripted/play.json',
    workingFolder: '/project',
    pid: 7,
    createdAtMs: 1,
    startedAtMs: 1,
    endedAtMs: null,
  }
  const tasksFolder = createTemporaryFolder({ 'task-1/task.json': JSON.stringify(record) })
  const server = await createTestServer({ tasksFolder, file: join(tasksFolder, 'ledger.db') })
  await server.open({ id: 'task-1' })
  const headers = { authorization: `Bearer ${await server.key('operator')}`, 'content-type': 'application/json' }
  const by = String((await server.send({ path: '/api/session', headers })).json?.by)
  const path = '/api/tasks/task-1/interrupt'
  expect(await server.send({ method: 'POST', path, headers, body: {} })).toMatchObject({ json: { status: 'stopped' } })
  const page = await server.store.history({ scopeId: 'task-1', kinds: ['scope_closed'], most: 9, atMs: server.nowMs })
  if (page.kind === 'reset') throw new Error('the history was pruned')
  expect(page.entries.map(({ event }) => event)).toMatchObject([{ status: 'stopped', by }])
  await server.close()
  const bytes = readFileSync(server.file, 'latin1')
  expect(/\{"kind":"closed"[^}]*\}/.exec(bytes)?.[0]).toContain(`"by":"${by}"`)
})
