import { expect, it } from 'vitest'
import { createTestServer } from './api-server.fixture.ts'

it('limits are tried on past runs, as on the command line', async () => {
  const server = await createTestServer()
  const labels = { agentType: 'developer' }
  for (const [id, calls] of Object.entries({ short: 2, long: 5 })) {
    await server.open({ id, labels })
    for (let call = 0; call < calls; call++) {
      const reservationId = `${id} ${call}`
      const amounts = { toolCalls: 1, cost: 1_000 }
      await server.store.reserve({ reservationId, scopeId: id, amounts, holder: 'holder', atMs: server.nowMs })
      await server.store.settle({ reservationId, actual: amounts, atMs: server.nowMs })
    }
    await server.store.close({ scopeId: id, status: 'completed', atMs: server.nowMs })
  }
  const headers = { authorization: `Bearer ${await server.key('viewer')}` }
  const trial = (query: string) => server.send({ path: `/api/reports/trial?${query}`, headers })
  expect(await trial('agent=developer&limits=turns%3D3,%20cost%3D1')).toMatchObject({
    status: 200,
    json: { agent: 'developer', runs: 2, lost: 1, savedNanoUsd: 2_000, cut: [{ id: 'long', meter: 'toolCalls' }] },
  })
  expect(await trial('agent=nobody&limits=turns%3D3')).toMatchObject({ status: 200, json: { runs: 0, cut: [] } })
  for (const wrong of [
    'limits=turns%3D3',
    'agent=developer',
    'agent=developer&limits=turns',
    'agent=developer&limits=depth%3D1',
  ]) {
    expect((await trial(wrong)).status, wrong).toBe(400)
  }
})
