import { expect, it } from 'vitest'
import type { RunRequest, RunStarter } from '../../../src/server/server-context.ts'
import { createTestServer } from './api-server.fixture.ts'

it('reports more to a bound caller only if there is more of its own', async () => {
  const server = await createTestServer()
  for (const team of ['team:foreign', 'team:ours']) await server.open({ id: team, kind: 'lasting', owner: null })
  for (const id of ['foreign-1', 'foreign-2', 'foreign-3']) {
    await server.open({ id }, 'team:foreign')
    await server.store.close({ scopeId: id, status: 'completed', atMs: server.nowMs })
  }
  const headers = { authorization: `Bearer ${await server.key('viewer', 'team:ours')}` }
  const get = async (path: string) => (await server.send({ path, headers })).json
  expect(await get('/api/scopes?most=1')).toMatchObject({ scopes: [{ id: 'team:ours' }], isTruncated: false })
  expect(await get('/api/scopes?standing=ended&most=1')).toEqual({ scopes: [], isTruncated: false })
  expect(await get('/api/runs?most=1')).toEqual({ runs: [], isTruncated: false })
  for (const id of ['ours-1', 'ours-2']) {
    await server.open({ id }, 'team:ours')
    await server.store.close({ scopeId: id, status: 'completed', atMs: server.nowMs + 1 })
  }
  await server.open({ id: 'foreign-4' }, 'team:foreign')
  await server.store.close({ scopeId: 'foreign-4', status: 'completed', atMs: server.nowMs + 2 })
  expect(await get('/api/runs?most=1')).toMatchObject({
    runs: [{ path: expect.stringMatching(/^team:ours/) }],
    isTruncated: true,
  })
  expect(await get('/api/runs?most=2')).toMatchObject({ runs: [{}, {}], isTruncated: false })
})

it("hides the server's own scope from every caller, and refuses to change it", async () => {
  const server = await createTestServer()
  await server.open({ id: 'team:core', kind: 'lasting', owner: null })
  const key = { authorization: `Bearer ${await server.key('admin')}` }
  for (const path of ['', '/history', '/explain']) {
    const answer = await server.send({ path: `/api/scopes/stint:server${path}`, headers: key })
    expect(answer.status, path).toBe(404)
  }
  for (const path of ['/api/scopes', '/api/budgets']) {
    const { text } = await server.send({ path, headers: key })
    expect(text).toContain('team:core')
    expect(text).not.toContain('stint:server')
  }
  const headers = { ...key, 'content-type': 'application/json' }
  const writes = [
    ['/api/scopes/stint:server/pause', {}],
    ['/api/scopes/stint:server/limits', { limits: ['cost=1'] }],
    ['/api/budgets', { id: 'stint:server', limits: ['cost=1'] }],
    ['/api/budgets', { id: 'team:new', limits: ['cost=1'], within: 'stint:server' }],
    ['/api/keys', { scope: 'stint:server' }],
    ['/api/keys', { scope: 'stint:server', role: 'viewer' }],
  ] as const
  for (const [path, body] of writes) {
    expect(await server.send({ method: 'POST', path, headers, body }), path).toMatchObject({ status: 404 })
  }
  expect(await server.send({ method: 'POST', path: '/api/keys', headers, body: { role: 'viewer' } })).toMatchObject({
    status: 200,
  })
})

it('starts a run in a budget that exists and is not paused, with limits that can be read, and nowhere else', async () => {
  const runs: RunRequest[] = []
  const starter: RunStarter = {
    agents: ['developer'],
    async start(run) {
      runs.push(run)
      return { id: 'new-run' }
    },
    async resume() {},
  }
  const server = await createTestServer({ starter })
  await server.open({ id: 'team:core', kind: 'lasting', owner: null })
  await server.open({ id: 'team:away', kind: 'lasting', owner: null })
  await server.store.pause({ scopeId: 'team:away', reason: 'holidays', atMs: server.nowMs })
  const headers = { authorization: `Bearer ${await server.key('admin')}`, 'content-type': 'application/json' }
  const start = async (body: object) => {
    const task = { agent: 'developer', task: 'work', ...body }
    return (await server.send({ method: 'POST', path: '/api/runs', headers, body: task })).status
  }
  expect(await start({ budget: 'stint:server' })).toBe(404)
  expect(await start({ budget: 'team:other' })).toBe(404)
  expect(await start({ budget: 'team:away' })).toBe(409)
  expect(await start({ limits: ['turn=5'] })).toBe(400)
  expect(await start({ agent: 'other' })).toBe(404)
  expect(runs).toEqual([])
  expect(await start({ budget: 'team:core', limits: ['turns=5'] })).toBe(200)
  expect(runs).toMatchObject([{ agent: 'developer', budget: 'team:core', limits: ['turns=5'] }])
})

it('refuses a budget inside a paused one', async () => {
  const server = await createTestServer()
  await server.open({ id: 'team:core', kind: 'lasting', owner: null })
  await server.store.pause({ scopeId: 'team:core', reason: 'audit', atMs: server.nowMs })
  const headers = { authorization: `Bearer ${await server.key('operator')}`, 'content-type': 'application/json' }
  const body = { id: 'user:ann', limits: ['cost=1'], within: 'team:core' }
  const answer = await server.send({ method: 'POST', path: '/api/budgets', headers, body })
  expect(answer).toMatchObject({ status: 409, json: { error: { code: 'scope_paused' } } })
  expect(server.faults).toEqual([])
})
