import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { createGate, emitWholeCap, loopForEver, type ProviderTurn } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const NANO = 1_000_000_000

async function settledCost(stage: Stage): Promise<number> {
  const { cost } = await stage.run.usage()
  expect(cost.reserved).toBe(0)
  return cost.settled
}

describe('money at the gateway', () => {
  it.each([
    { what: 'conversations of 2k tokens', share: 0.9, task: 'word '.repeat(1_600) },
    { what: 'requests of 84 kB', share: 0.7, task: 'word '.repeat(16_800) },
  ])(
    'D9: 32,000 output tokens with a thinking budget of 31,999, $what: it continues, and ends with an answer',
    async ({ share, task }) => {
      const stage = await startStage({ limits: { cost: 1 }, script: loopForEver({ text: 'I think.' }) })
      const run = await runAgent(stage, 'anthropic-messages', {
        isStream: true,
        model: 'claude-opus-4-5',
        maxTokens: 32_000,
        thinkingBudget: 31_999,
        mostRounds: 500,
        task,
      })
      expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
      await stage.settle()
      const cost = await settledCost(stage)
      expect(cost).toBe(stage.provider.book().costNanoUsd)
      expect(cost).toBeLessThanOrEqual(NANO)
      expect(cost).toBeGreaterThan(share * NANO)
    },
    60_000,
  )

  it('D9: under $0.50 the first request of 84 kB runs', async () => {
    const stage = await startStage({ limits: { cost: 0.5 }, script: () => ({ text: 'Done.' }) })
    const options = { model: 'claude-opus-4-5', maxTokens: 32_000, thinkingBudget: 31_999 }
    const task = 'word '.repeat(16_800)
    expect(await runAgent(stage, 'anthropic-messages', { ...options, task, isStream: true })).toMatchObject({
      error: null,
      text: 'Done.',
      requests: 1,
    })
  })

  it.each(WIRES)('D10: a request for 1 output token is served, %s', async (wire) => {
    const stage = await startStage({ limits: { cost: 0.05, tokens: 5_000 } })
    const maxTokens = wire === 'openai-responses' ? 16 : 1
    expect(await runAgent(stage, wire, { maxTokens })).toMatchObject({ error: null })
    expect(stage.provider.requestCount).toBe(1)
  })

  it('D10: with little left and another call in flight, a call waits before it is cut', async () => {
    const startGate = createGate()
    const stage = await startStage({ limits: { outputTokens: 4_000 }, script: () => ({ text: 'short', startGate }) })
    const ask = (max_tokens: number) =>
      stage
        .anthropic()
        .messages.create({ model: 'claude-haiku-5-5', max_tokens, messages: [{ role: 'user', content: 'hi' }] })
        .withResponse()
    const first = ask(3_000)
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    const second = ask(3_000)
    startGate.open()
    expect((await first).response.headers.get('x-stint-clamped')).toBeNull()
    const { response } = await second
    expect(response.headers.get('x-stint-clamped')).toBeNull()
    expect(response.headers.get('x-stint-remaining')).toMatch(/^outputTokens=\d+$/)
    expect(response.headers.get('x-stint-scope')).toBe('run')
    const third = await ask(8_000)
    expect(Number(third.response.headers.get('x-stint-clamped'))).toBeLessThan(4_000)
    const sent = JSON.parse(stage.provider.requests.at(-1)!.body.toString())
    expect(String(sent.max_tokens)).toBe(third.response.headers.get('x-stint-clamped'))
  })

  it.each([
    { limits: { toolCalls: 1 }, requests: 2, answers: true },
    { limits: { modelCalls: 1 }, requests: 1, answers: false },
    { limits: { modelCalls: 2 }, requests: 2, answers: true },
    { limits: { tokens: 2_000 }, requests: null, answers: true },
    { limits: { cost: 0.013 }, requests: null, answers: true },
  ])(
    'E13: $limits gives as much work as it can pay for, no useless closing call, and a clear end',
    async ({ limits, requests, answers }) => {
      const stage = await startStage({ limits, script: loopForEver() })
      const run = await runAgent(stage, 'anthropic-messages', { model: 'claude-sonnet-4-5', maxTokens: 4_000 })
      expect(stage.provider.requestCount).toBeGreaterThan(0)
      if (requests !== null) expect(stage.provider.requestCount).toBe(requests)
      if (answers) expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
      else expect(run.error).toMatchObject({ status: 402 })
      await stage.settle()
      expect(await settledCost(stage)).toBe(stage.provider.book().costNanoUsd)
      const all = await stage.run.usage()
      for (const { limit, settled } of Object.values(all))
        expect(settled).toBeLessThanOrEqual(limit ?? Number.MAX_VALUE)
      expect(stage.calls.filter(({ isClosing }) => isClosing).length).toBe(answers ? 1 : 0)
    },
  )

  it.each(WIRES)(
    'each retry of the SDK has its own reservation, and a refusal does not count as a model call: %s',
    async (wire) => {
      const down = (status: number): ProviderTurn => ({ fault: { kind: 'status', status, retryAfterSeconds: 0 } })
      const script = [down(503), down(429), down(500), { text: 'At last.' }]
      const stage = await startStage({ limits: { cost: 1, modelCalls: 1 }, script })
      const clients = {
        anthropic: () => stage.anthropic({ maxRetries: 3 }),
        openai: () => stage.openai({ maxRetries: 3 }),
      }
      expect(await runAgent(clients, wire)).toMatchObject({ error: null, text: 'At last.' })
      expect(stage.provider.requestCount).toBe(4)
      await stage.settle()
      expect(await settledCost(stage)).toBe(stage.provider.book().costNanoUsd)
      expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0, refused: 3 })
    },
  )

  it.each(WIRES)(
    'a provider that cannot be reached, or never answers: reported, released or charged in full: %s',
    async (wire) => {
      const away = await startStage({ upstream: { baseUrl: 'http://127.0.0.1:9' }, limits: { cost: 1 } })
      expect((await runAgent(away, wire)).error).toMatchObject({ status: 503 })
      await away.settle()
      expect((await away.run.usage()).modelCalls).toMatchObject({ settled: 0, reserved: 0 })
      const silent = await startStage({ limits: { cost: 1 }, script: () => ({ fault: { kind: 'no-answer' } }) })
      expect((await runAgent(silent, wire)).error).toMatchObject({ status: 502 })
      await silent.settle()
      const { modelCalls, cost } = await silent.run.usage()
      expect(modelCalls).toMatchObject({ settled: 1, reserved: 0, assumed: 1 })
      expect(cost.settled).toBeGreaterThan(1_000 * 500)
      expect(cost.assumed).toBe(cost.settled)
      const late = await startStage({
        limits: { cost: 1 },
        script: () => ({ fault: { kind: 'stall', afterPieces: 0 } }),
        bounds: { headersTimeoutMs: 100, idleTimeoutMs: 100, totalTimeoutMs: 150 },
      })
      expect((await runAgent(late, wire)).error).toMatchObject({ status: 504 })
    },
  )

  it.each(WIRES)('an answer that is cut in the middle is charged, never less than what was used: %s', async (wire) => {
    for (const isStream of [true, false]) {
      const stage = await startStage({
        limits: { cost: 1 },
        script: () => ({ text: 'word '.repeat(200), fault: { kind: 'cut' } }),
      })
      expect((await runAgent(stage, wire, { isStream })).error).not.toBeNull()
      await stage.settle()
      expect(await settledCost(stage)).toBeGreaterThanOrEqual(stage.provider.book().costNanoUsd)
      expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0, assumed: 1 })
    }
  })

  it.each(WIRES)(
    "a client that disconnects in the middle: the rest is read, and the ledger matches the provider's book: %s",
    async (wire) => {
      const pieceGate = createGate()
      const stage = await startStage({ limits: { cost: 1 }, script: () => ({ text: 'word '.repeat(300), pieceGate }) })
      const away = new AbortController()
      const base =
        wire === 'anthropic-messages'
          ? 'anthropic/v1/messages'
          : `openai/v1/${wire === 'openai-chat' ? 'chat/completions' : 'responses'}`
      const body =
        wire === 'openai-responses'
          ? { model: 'gpt-4.1', input: 'hi', stream: true }
          : { model: 'claude-haiku-5-5', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }], stream: true }
      const headers = { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' }
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: away.signal }
      const pending = fetch(`${stage.gateway.url}/k/${KEY}/${base}`, request)
      pieceGate.pass(2)
      const reader = (await pending).body!.getReader()
      await reader.read()
      away.abort()
      await reader.read().catch(() => {})
      // Behind these, the gateway has heard of it.
      for (let ask = 0; ask < 3; ask++) await fetch(`${stage.gateway.url}/k/${KEY}/openai/v1/models`, { headers })
      pieceGate.open()
      await stage.settle()
      expect(stage.provider.book().outcomes).toMatchObject({ answered: 1 })
      expect(await settledCost(stage)).toBe(stage.provider.book().costNanoUsd)
      expect(stage.calls).toMatchObject([{ dialect: wire, text: 'word '.repeat(300) }])
    },
  )

  it('a client that disconnects from an endless answer: cut at the bound, and charged in full', async () => {
    const stage = await startStage({
      limits: { cost: 1 },
      bounds: { drainMs: 50 },
      script: () => ({ text: 'word', fault: { kind: 'stall', afterPieces: 3 } }),
    })
    const stream = stage.anthropic().messages.stream({
      model: 'claude-haiku-5-5',
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'hi' }],
    })
    stream.on('error', () => {})
    stream.on('abort', () => {})
    await new Promise<void>((resolve) => stream.once('streamEvent', () => resolve()))
    stream.abort()
    await stage.provider.until(({ inFlight }) => inFlight === 0)
    await stage.settle()
    expect((await stage.run.usage()).outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
  })

  it('D7: 3,000 calls, 200 in flight, at a provider that always writes its whole cap: overspend 0, more than 99 % used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-d7-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const store = await createSqliteStore({ file: join(folder, 'ledger.db') })
    // Some 1,000 calls' worth, so that most of them meet a budget that is nearly spent.
    const stage = await startStage({ limits: { cost: 1.2 }, script: emitWholeCap(), store })
    const body = JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 60,
      messages: [{ role: 'user', content: 'hi' }],
    })
    const headers = { 'x-api-key': 'made-up', 'anthropic-version': '2023-06-01' }
    let left = 3_000
    const statuses = new Map<number, number>()
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const answer = await fetch(`${stage.gateway.url}/k/${KEY}/anthropic/v1/messages`, {
          method: 'POST',
          headers,
          body,
        })
        await answer.arrayBuffer()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 200 }, worker))
    await stage.settle()
    const cost = await settledCost(stage)
    expect(cost).toBe(stage.provider.book().costNanoUsd)
    expect(cost).toBeLessThanOrEqual(1.2 * NANO)
    expect(cost).toBeGreaterThan(0.99 * 1.2 * NANO)
    expect([...statuses.keys()].toSorted()).toEqual([200, 402])
    expect(statuses.get(200)).toBe(stage.provider.book().outcomes.answered)
  }, 60_000)
})
