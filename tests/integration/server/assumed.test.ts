import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Amounts } from '../../../src/core/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { createTestServer, type TestServer } from './api-server.fixture.ts'

const USD = 1_000_000_000
const RESERVED = { cost: 5 * USD, modelCalls: 1, tokens: 900 }

/** Two teams, each with a run whose call was cut off. */
async function createStage(options: { readonly file?: string } = {}) {
  const server = await createTestServer(options)
  for (const team of ['ours', 'foreign']) {
    await server.open({ id: `team:${team}`, kind: 'lasting', owner: null })
    await server.open({ id: `run-${team}` }, `team:${team}`)
    await cutOff(server, `call-${team}`, `run-${team}`, RESERVED)
  }
  return server
}

async function cutOff(server: TestServer, reservationId: string, scopeId: string, amounts: Amounts): Promise<void> {
  await server.store.reserve({ reservationId, scopeId, amounts, holder: 'holder', atMs: server.nowMs })
  await server.store.settle({ reservationId, assumed: true, atMs: server.nowMs })
}

/** The bytes of a ledger in a folder, as text. */
function journal(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.startsWith('ledger.db'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

it('an operator corrects what a call was assumed to cost, in their own scope only, and the journal says who', async () => {
  const folder = createTemporaryFolder({})
  const server = await createStage({ file: join(folder, 'ledger.db') })
  const key = await server.key('operator', 'team:ours')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const list = await server.send({ path: '/api/assumed', headers: { authorization: `Bearer ${key}` } })
  expect(list.json).toMatchObject({ reservations: [{ id: 'call-ours', state: 'assumed' }], isTruncated: false })
  const settle = (id: string, amounts: object) =>
    server.send({ method: 'POST', path: `/api/assumed/${id}/settle`, headers, body: { amounts, reason: 'the bill' } })
  for (const id of ['call-foreign', 'no-such-call']) {
    expect(await settle(id, { costNanoUsd: 0 })).toMatchObject({ status: 404, text: expect.stringContaining(id) })
  }
  for (const wrong of [{}, { cost: 1 }, { costNanoUsd: -1 }, { costNanoUsd: 0.5 }, { turns: 1 }]) {
    expect((await settle('call-ours', wrong)).status, JSON.stringify(wrong)).toBe(400)
  }
  expect(await settle('call-ours', { costNanoUsd: USD, tokens: 300 })).toMatchObject({
    status: 200,
    json: { before: { costNanoUsd: 5 * USD, tokens: 900 }, charged: { costNanoUsd: USD, tokens: 300, modelCalls: 1 } },
  })
  expect((await settle('call-ours', { costNanoUsd: 2 * USD })).status).toBe(404)
  const [team] = (await server.store.read({ scopeId: 'team:ours', atMs: server.nowMs }))!
  expect(team!.totals.cost.settled).toBe(USD)
  const [foreign] = (await server.store.read({ scopeId: 'team:foreign', atMs: server.nowMs }))!
  expect(foreign!.totals.cost.settled).toBe(5 * USD)
  const { json: session } = await server.send({ path: '/api/session', headers: { authorization: `Bearer ${key}` } })
  await server.close()
  const [written] = /[^\n\0]{0,400}the bill[^\n\0]{0,100}/.exec(journal(folder)) ?? ['']
  expect(written).toContain(`"by":"${session?.by}"`)
})

it('a charge is given back with a reason only', async () => {
  const server = await createStage()
  const { write } = await server.browser()
  const forgive = (body: object) =>
    server.send({ method: 'POST', path: '/api/assumed/call-ours/forgive', headers: write, body })
  expect((await forgive({})).status).toBe(400)
  expect(await forgive({ reason: 'never sent' })).toMatchObject({ status: 200, json: { charged: {} } })
  const [team] = (await server.store.read({ scopeId: 'team:ours', atMs: server.nowMs }))!
  expect(team!.totals.cost.settled).toBe(0)
})
