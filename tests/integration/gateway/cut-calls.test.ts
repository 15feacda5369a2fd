import { describe, expect, it } from 'vitest'
import type { ProviderTurn } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { sse, startOddUpstream } from './odd-upstream.ts'
import { KEY, startStage } from './stage.ts'

const LOOK = { name: 'look', arguments: { step: 1 } }
const status = (code: number): ProviderTurn => ({ fault: { kind: 'status', status: code, message: 'Overloaded' } })

describe("an upstream's error", () => {
  it.each([408, 504, 520, 524])('is assumed with status %d, which does not say what was generated', async (code) => {
    const stage = await startStage({ limits: { cost: 1, toolCalls: 5 }, script: () => status(code) })
    expect((await runAgent(stage, 'anthropic-messages')).error).toMatchObject({ status: code })
    await stage.settle()
    const { modelCalls, cost, toolCalls } = await stage.run.usage()
    expect(modelCalls).toMatchObject({ settled: 1, assumed: 1, refused: 0, reserved: 0 })
    expect(cost.assumed).toBeGreaterThan(0)
    // What never came has called no tool.
    expect(toolCalls).toMatchObject({ settled: 0, reserved: 0 })
  })

  it("is assumed with a 502 of a proxy, and refused with one in the provider's own format", async () => {
    const proxy = {
      status: 502,
      headers: { 'content-type': 'text/html', 'x-request-id': 'p-1' },
      body: ['<h1>502</h1>'],
    }
    const words = JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'Internal server error' } })
    const own = { status: 502, headers: { 'content-type': 'application/json', 'request-id': 'req_1' }, body: [words] }
    for (const [answer, expected] of [
      [proxy, { settled: 1, assumed: 1, refused: 0 }],
      [own, { settled: 0, assumed: 0, refused: 1 }],
    ] as const) {
      const { url } = await startOddUpstream(answer)
      const stage = await startStage({ upstream: { baseUrl: url }, limits: { cost: 1 } })
      expect((await runAgent(stage, 'anthropic-messages')).error).toMatchObject({ status: 502 })
      await stage.settle()
      expect((await stage.run.usage()).modelCalls).toMatchObject(expected)
    }
  })

  const EVENTS = Array.from({ length: 60 }, (_, index) => `data: {"text":"secret answer ${index}"}\n\n`)
  const LONG = JSON.stringify({ error: { type: 'invalid_request_error', message: 'secret answer '.repeat(5_000) } })

  it.each([
    ['an event stream', { headers: { 'content-type': 'text/event-stream' }, body: EVENTS }],
    ['neither JSON nor text', { headers: { 'content-type': 'application/octet-stream' }, body: EVENTS }],
    ['longer than 64 kB', { headers: { 'content-type': 'application/json' }, body: [LONG] }],
    [
      'broken off',
      { headers: { 'content-type': 'application/json', 'content-length': '500' }, body: ['{"error":"secret answer'] },
    ],
  ])('is a refusal with status 400, and its body is not passed on if it is %s', async (_, answer) => {
    const { url } = await startOddUpstream({ status: 400, ...answer })
    const stage = await startStage({ upstream: { baseUrl: url }, limits: { cost: 1 } })
    const { error } = await runAgent(stage, 'anthropic-messages')
    expect(error).toMatchObject({ status: 400 })
    expect(error?.message).toContain('The provider answered with status 400.')
    expect(error?.message).not.toContain('secret')
    await stage.settle()
    expect(await stage.run.usage()).toMatchObject({
      modelCalls: { settled: 0, assumed: 0, refused: 1 },
      cost: { settled: 0 },
    })
  })

  it.each(WIRES)("ends the run as failed after 20 refusals in a row, with the provider's message: %s", async (wire) => {
    const failures: string[] = []
    const stage = await startStage({
      limits: { modelCalls: 2 },
      script: () => status(429),
      onEvent: (event) => void (event.event === 'agent_failed' && failures.push(event.error)),
    })
    for (let call = 0; call < 20; call++) expect((await runAgent(stage, wire)).error).toMatchObject({ status: 429 })
    expect(stage.run.status()).toBe('failed')
    expect((await runAgent(stage, wire)).error?.message).toContain('has ended (failed)')
    expect(stage.provider.requestCount).toBe(20)
    await expect
      .poll(() => failures)
      .toEqual(['The provider refused 20 calls in a row: The provider answered with status 429: Overloaded'])
  })
})

describe('an answer that never finishes', () => {
  it.each(WIRES)('has no tool calls, although one was reserved: %s', async (wire) => {
    for (const [turn, isStream] of [
      [{ fault: { kind: 'no-answer' } }, false],
      [{ toolCalls: [LOOK, LOOK, LOOK], fault: { kind: 'cut', afterPieces: 8 } }, true],
      [{ toolCalls: [LOOK, LOOK, LOOK], fault: { kind: 'cut' } }, true],
    ] as const satisfies readonly (readonly [ProviderTurn, boolean])[]) {
      const stage = await startStage({ limits: { cost: 1, toolCalls: 5 }, script: () => turn })
      expect((await runAgent(stage, wire, { isStream })).error).not.toBeNull()
      await stage.settle()
      const { modelCalls, toolCalls } = await stage.run.usage()
      expect(modelCalls).toMatchObject({ settled: 1, assumed: 1 })
      expect(toolCalls).toMatchObject({ settled: 0, reserved: 0 })
    }
  })

  it.each(WIRES)('counts the tool calls of the same answer when it is sent again completely: %s', async (wire) => {
    const calls = [1, 2, 3].map((step) => ({ id: `call_${step}`, name: 'look', arguments: { step } }))
    const stage = await startStage({
      limits: { cost: 1, toolCalls: 5 },
      script: [{ toolCalls: calls, fault: { kind: 'cut' } }, { toolCalls: calls }, { text: 'Done.' }],
    })
    expect((await runAgent(stage, wire, { isStream: true })).error).not.toBeNull()
    expect(await runAgent(stage, wire, { isStream: true })).toMatchObject({ error: null, toolRuns: 3 })
    await stage.settle()
    expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 3, reserved: 0 })
  })

  it('is charged for the prompt that its stream had reported, and for the whole cap', async () => {
    const stage = await startStage({
      limits: { cost: 1 },
      script: () => ({ text: 'word '.repeat(200), fault: { kind: 'cut' } }),
    })
    const options = { isStream: true, task: 'word '.repeat(2_000), maxTokens: 700 }
    expect((await runAgent(stage, 'anthropic-messages', options)).error).not.toBeNull()
    await stage.settle()
    const [{ usage } = { usage: null }] = stage.provider.book().entries
    const { tokens, outputTokens } = await stage.run.usage()
    expect(outputTokens).toMatchObject({ settled: 700, assumed: 700 })
    expect(tokens.settled).toBe((usage?.inputTokens ?? 0) + 700)
  })

  it.each(WIRES)('is charged its whole cap, whatever output was counted on the way: %s', async (wire) => {
    const stage = await startStage({
      limits: { cost: 1 },
      script: () => ({ text: 'word '.repeat(200), usage: 'cumulative', fault: { kind: 'cut' } }),
    })
    expect((await runAgent(stage, wire, { isStream: true, maxTokens: 700 })).error).not.toBeNull()
    await stage.settle()
    expect((await stage.run.usage()).outputTokens).toMatchObject({ settled: 700, assumed: 700 })
  })

  it('is assumed even if its connection ends normally', async () => {
    const usage = { input_tokens: 40, output_tokens: 1 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-haiku-5-5', content: [], usage }
    const headers = { 'content-type': 'text/event-stream' }
    const { url } = await startOddUpstream({ headers, body: sse({ type: 'message_start', message }) })
    const stage = await startStage({ upstream: { baseUrl: url }, limits: { cost: 1 } })
    await runAgent(stage, 'anthropic-messages', { isStream: true, maxTokens: 700 })
    await stage.settle()
    expect((await stage.run.usage()).tokens).toMatchObject({ settled: 740, assumed: 740 })
  })

  it('pauses the run after two in a row: a third request is held, and sent after a resume', async () => {
    const reasons: string[] = []
    const stage = await startStage({
      limits: { cost: 1 },
      script: [{ fault: { kind: 'no-answer' } }, { fault: { kind: 'no-answer' } }, { text: 'Back.' }],
      onEvent: (event) => void (event.event === 'agent_paused' && reasons.push(event.reason)),
    })
    for (let call = 0; call < 2; call++) {
      expect(stage.run.status()).toBe('running')
      expect((await runAgent(stage, 'anthropic-messages')).error).toMatchObject({ status: 502 })
    }
    expect(stage.run.status()).toBe('paused')
    const third = runAgent(stage, 'anthropic-messages')
    await expect.poll(() => reasons.join()).toContain('left 2 calls in a row unfinished')
    await stage.run.resume()
    expect(await third).toMatchObject({ error: null, text: 'Back.' })
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 3, assumed: 2 })
  })

  it('does not count against the upstream if the client disconnected: nothing is paused', async () => {
    const stage = await startStage({
      limits: { cost: 1 },
      bounds: { drainMs: 50 },
      script: () => ({ text: 'word '.repeat(200), fault: { kind: 'stall', afterPieces: 3 } }),
    })
    for (let call = 1; call <= 3; call++) {
      const away = new AbortController()
      const gone = fetch(`${stage.gateway.url}/k/${KEY}/anthropic/v1/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({
          model: 'claude-haiku-5-5',
          max_tokens: 500,
          messages: [{ role: 'user', content: 'hi' }],
          stream: true,
        }),
        signal: away.signal,
      }).then((answer) => answer.text())
      await stage.provider.until(({ requestCount }) => requestCount === call)
      away.abort()
      await expect(gone).rejects.toThrow()
      await expect.poll(async () => (await stage.run.usage()).modelCalls.assumed).toBe(call)
    }
    expect(stage.run.status()).toBe('running')
  })
})
