import { describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { createPriceBook, parsePrices } from '../../../src/pricing/index.ts'
import { createGate, loopForEver } from '../../../src/testing/provider/index.ts'
import { startOddUpstream } from './odd-upstream.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 200, messages: [{ role: 'user', content: 'hi' }] }
const LOOK = { name: 'look', input_schema: { type: 'object' } }

function send(stage: Stage, headers: Record<string, string>, body: object = CLAUDE): Promise<Response> {
  return fetch(`${stage.gateway.url}/k/${KEY}/anthropic/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'x', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify(body),
  })
}

describe('forged reservations', () => {
  it('B16: only the reservation of a model call pays for one', async () => {
    const stage = await startStage({ limits: { cost: 1, toolCalls: 5 } })
    for (const amounts of [{ toolCalls: 1 }, {}, { toolCalls: 1, outputTokens: 50 }]) {
      const room = await stage.run.reserve(amounts)
      if (room.kind === 'refused') throw new Error('no room')
      expect((await send(stage, { 'x-stint-reservation': room.id })).status).toBe(200)
      await room.release()
    }
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 3, reserved: 0 })
  })

  it('B16: a reservation that the gateway itself made pays for no other call', async () => {
    const startGate = createGate()
    const stage = await startStage({ limits: { cost: 1 }, script: () => ({ text: 'x', startGate }) })
    const first = send(stage, {})
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    const open = await stage.store.reservations({ state: 'open', most: 10 })
    expect(open).toHaveLength(1)
    const second = send(stage, { 'x-stint-reservation': open[0]!.id })
    await stage.provider.until(({ inFlight }) => inFlight === 2)
    startGate.open()
    await Promise.all([first, second])
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 2, reserved: 0 })
  })

  it('B16: one that is settled, of another scope, or used before pays for nothing', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const other = await stage.governor.open({ name: 'other', within: null })
    const money = { cost: 10_000_000, executionCost: 10_000_000 }
    const mine = { modelCalls: 1, tokens: 1_000, outputTokens: 200, uncachedTokens: 1_000, ...money }
    const settled = await stage.run.reserve(mine)
    const foreign = await other.reserve(mine)
    const good = await stage.run.reserve(mine)
    if (settled.kind === 'refused' || foreign.kind === 'refused' || good.kind === 'refused') throw new Error('no room')
    await settled.release()
    for (const id of [settled.id, foreign.id, good.id, good.id, '', 'x'.repeat(5_000), '../..', "' or 1=1 --"]) {
      expect((await send(stage, { 'x-stint-reservation': id })).status).toBe(200)
    }
    // The gateway has settled it from the answer: it cannot be released any more.
    await good.release()
    await foreign.release()
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 8, reserved: 0 })
  })

  it("B16: one that was made at lower prices pays for nothing: the gateway's prices decide", async () => {
    const stage = await startStage({ limits: { cost: 0.01 } })
    const prices = createPriceBook({ overrides: parsePrices({ 'claude-haiku-5-5': { input: 0, output: 0 } }) })
    const cheap = createGovernor({ store: stage.store, prices })
    const run = await cheap.find(stage.run.id)
    const inner = await cheap.open({ name: 'inner', within: run })
    const spec = { model: 'claude-haiku-5-5', inputTokens: 1_000, maxOutputTokens: 2_000 }
    const statuses: number[] = []
    for (let round = 0; round < 12; round++) {
      await inner.callModel(spec, async ({ reservationId }) => {
        const answer = await send(stage, { 'x-stint-reservation': reservationId }, { ...CLAUDE, max_tokens: 2_000 })
        statuses.push(answer.status)
        await answer.text()
        return { value: null, usage: { inputTokens: 0, outputTokens: 0 } }
      })
    }
    await stage.settle()
    const { settled } = (await stage.run.usage()).cost
    expect(settled).toBe(Number(stage.provider.book().costNanoUsd))
    expect(settled).toBeGreaterThan(0)
    expect(statuses[0]).toBe(200)
  })

  it('B16: one that is too small on any meter pays for nothing', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const whole = { modelCalls: 1, tokens: 1_000, outputTokens: 200, uncachedTokens: 1_000, cost: 10_000_000 }
    const enough = { ...whole, executionCost: 10_000_000 }
    const meters = ['tokens', 'outputTokens', 'uncachedTokens', 'cost', 'executionCost'] as const
    for (const meter of meters) {
      const room = await stage.run.reserve({ ...enough, [meter]: meter === 'outputTokens' ? 0 : 1 })
      if (room.kind === 'refused') throw new Error('no room')
      expect((await send(stage, { 'x-stint-reservation': room.id })).status).toBe(200)
      await room.release()
    }
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: meters.length, reserved: 0 })
  })

  it('B16: it pays for no more output than its money does', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const spec = { model: 'claude-haiku-5-5', inputTokens: 60, maxOutputTokens: 50 }
    await stage.run.callModel(spec, async () => {
      const [open] = await stage.store.reservations({ state: 'open', most: 1 })
      const { cost = 0, executionCost = 0 } = open!.reserved
      const tokens = { tokens: 1_000, outputTokens: 200, uncachedTokens: 1_000 }
      const room = await stage.run.reserve({ modelCalls: 1, ...tokens, cost, executionCost })
      if (room.kind === 'refused') throw new Error('no room')
      await send(stage, { 'x-stint-reservation': room.id })
      return { value: null, usage: { inputTokens: 60, outputTokens: 1 } }
    })
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 2, reserved: 0 })
    const { max_tokens: cap } = JSON.parse(stage.provider.requests[0]!.body.toString())
    expect(cap).toBeGreaterThan(0)
    expect(cap).toBeLessThan(100)
  })

  it('B16: what its owner reports afterwards changes nothing, and the charge is in the ledger before its end', async () => {
    const stage = await startStage({ limits: { cost: 1 }, script: () => ({ text: 'x'.repeat(400) }) })
    const inner = await stage.run.open({ name: 'inner' })
    const spec = { model: 'claude-haiku-5-5', inputTokens: 1_000, maxOutputTokens: 200 }
    await inner.callModel(spec, async ({ reservationId }) => {
      const answer = await send(stage, { 'x-stint-reservation': reservationId })
      await answer.text()
      expect((await inner.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0 })
      return { value: null, usage: { inputTokens: 0, outputTokens: 0 } }
    })
    expect((await stage.run.usage()).cost.settled).toBe(Number(stage.provider.book().costNanoUsd))
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0 })
  })
})

describe('forged agents', () => {
  it('too many agents to track get no fresh budgets, and only one closing call together', async () => {
    const stage = await startStage({ limits: { toolCalls: 1 }, script: loopForEver() })
    const statuses: number[] = []
    for (let agent = 0; agent < 20; agent++) {
      const answer = await send(stage, { 'x-stint-agent': `agent-${agent}` }, { ...CLAUDE, tools: [LOOK] })
      statuses.push(answer.status)
      await answer.text()
    }
    await stage.settle()
    expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 1, reserved: 0, overrun: 0 })
    // Whoever was at work when the limit came may close; whoever comes later may not.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3)
  })

  it("endlessly nested agents with the longest names do not break an answer's headers", async () => {
    const stage = await startStage({ limits: { cost: 10 } })
    let parent: string | null = null
    for (let depth = 0; depth < 60; depth++) {
      const agent = `${depth}-${'é'.repeat(70)}`
      const headers: Record<string, string> = { 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': agent }
      if (parent !== null) headers['x-claude-code-parent-agent-id'] = parent
      const answer = await send(stage, headers)
      expect(answer.status).toBe(200)
      expect((answer.headers.get('x-stint-scope') ?? '').length).toBeLessThan(4_096)
      parent = agent
    }
  })

  it('names with half a character do no harm', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    for (const thread_id of ['\ud800', `${'x'.repeat(59)}😀`, `${'x'.repeat(59)}𝒜`, 'a\nb', '__proto__']) {
      const metadata = JSON.stringify({ session_id: 's', thread_id: 'first' })
      await send(stage, { 'x-codex-turn-metadata': metadata })
      // Escaped, as headers must be.
      const escaped = JSON.stringify({ session_id: 's', thread_id }).replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      const answer = await send(stage, { 'x-codex-turn-metadata': escaped })
      expect([answer.status, thread_id]).toEqual([200, thread_id])
    }
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 10, reserved: 0 })
  })
})

describe('attempts to get in', () => {
  it('a gateway key goes upstream in no header and no query, wherever a client has put it', async () => {
    const { url, requests } = await startOddUpstream({ body: ['{}'] })
    const secret = `stint_${'k'.repeat(43)}`
    const stage = await startStage({
      upstream: { baseUrl: url },
      admission: { scopeOf: async (key) => (key === secret || key === KEY ? stage.run : null) },
    })
    const body = JSON.stringify(CLAUDE)
    const places = {
      'api-key': secret,
      'x-goog-api-key': secret,
      cookie: `key=${secret}`,
      referer: `http://x/k/${secret}/`,
    }
    const inHeader = { method: 'POST', headers: { ...places, 'x-stint-key': secret }, body }
    await fetch(`${stage.gateway.url}/anthropic/v1/messages?beta=true&key=${secret}`, inHeader)
    const referer = { referer: `${stage.gateway.url}/k/${KEY}/anthropic`, 'x-note': 'kept' }
    await fetch(`${stage.gateway.url}/k/${KEY}/anthropic/v1/messages?beta=true`, {
      method: 'POST',
      headers: referer,
      body,
    })
    const said = JSON.stringify(requests.map(({ path, headers }) => [path, headers]))
    expect(said).not.toContain(secret)
    expect(said).not.toContain(KEY)
    expect(requests.at(-1)).toMatchObject({ path: '/v1/messages?beta=true', headers: { 'x-note': 'kept' } })
  })

  it.each([
    'POST //anthropic/v1/messages',
    `POST /k/${KEY}/../anthropic/v1/messages`,
    `POST /k/${KEY}//anthropic/v1/messages`,
    `POST /k/${KEY}%2Fanthropic/v1/messages`,
    `POST /k/${KEY}/anthropic%2Fv1%2Fmessages`,
    `POST /k/${KEY}/anthropic/v1/messages/`,
    `POST /k/${KEY}/anthropic/v1/messages/batches`,
    `POST /k/${KEY}/anthropic/v1/messages#x`,
    `POST /k/${KEY}/openai/v1/../../anthropic/v1/messages`,
    `POST /anthropic/v1/messages?key=${KEY}`,
    `POST http://127.0.0.1:9/k/${KEY}/anthropic/v1/messages`,
    `TRACE /k/${KEY}/anthropic/v1/messages`,
    `CONNECT 127.0.0.1:9`,
    `GET /k/${KEY}/anthropic/v1/messages`,
    `POST /k//anthropic/v1/messages`,
    `POST *`,
  ])('%s is refused', async (line) => {
    const stage = await startStage()
    const { port } = stage.gateway
    const request = rawRequest(line, [`host: 127.0.0.1:${port}`, 'connection: close'], JSON.stringify(CLAUDE))
    const { status } = await sendRaw(port, [request])
    expect(status === 0 || (status >= 400 && status < 500)).toBe(true)
    expect(stage.provider.requestCount).toBe(0)
  })

  it('a request with an ambiguous end is refused, and nothing is smuggled in after it', async () => {
    const stage = await startStage()
    const { port } = stage.gateway
    const head = `POST /k/${KEY}/anthropic/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`
    const hidden = rawRequest(
      `POST /k/${KEY}/anthropic/v1/messages`,
      [`host: 127.0.0.1:${port}`],
      JSON.stringify(CLAUDE),
    )
    for (const headers of [
      `content-length: 4\r\ntransfer-encoding: chunked\r\n`,
      `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n`,
      `transfer-encoding: xchunked\r\n`,
      `transfer-encoding : chunked\r\n`,
      `content-length: 4\r\ncontent-length: 5\r\n`,
      `content-length: +4\r\n`,
      `content-length: 4, 4\r\n`,
    ]) {
      const { status } = await sendRaw(port, [`${head}${headers}\r\n0\r\n\r\n${hidden}`])
      expect([headers, status === 0 || status === 400]).toEqual([headers, true])
    }
    expect(stage.provider.requestCount).toBe(0)
  })

  it('an upgrade is treated like any other request', async () => {
    const stage = await startStage({ limits: { modelCalls: 1 } })
    const { port } = stage.gateway
    const headers = [
      `host: 127.0.0.1:${port}`,
      'connection: upgrade',
      'upgrade: websocket',
      'x-api-key: x',
      'anthropic-version: 2023-06-01',
    ]
    for (const status of [200, 402]) {
      const answer = await sendRaw(port, [
        rawRequest(`POST /k/${KEY}/anthropic/v1/messages`, headers, JSON.stringify(CLAUDE)),
      ])
      expect(answer.status).toBe(status)
    }
  })
})
