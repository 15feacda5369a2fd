import { describe, expect, it } from 'vitest'
import { createGate, loopForEver } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const SOON = { waitMs: 60, pauseMs: 180 }

/** Resolves when an event of this name was emitted. */
function eventOn(stage: Stage, name: string): Promise<void> {
  return new Promise((resolve) => {
    stage.governor.on((event) => {
      if (event.event === name) resolve()
    })
  })
}

describe.each(WIRES)('held requests, %s', (wire) => {
  it.each([false, true])(
    'a paused run continues when a limit is raised, without the client noticing (stream: %s)',
    async (isStream) => {
      const stage = await startStage({ limits: { toolCalls: 2 }, onLimit: 'pause', script: loopForEver() })
      const paused = eventOn(stage, 'agent_paused')
      const running = runAgent(stage, wire, { isStream, mostRounds: 5 })
      await paused
      expect(stage.provider.requestCount).toBe(2)
      await stage.run.setLimits({ toolCalls: 100 })
      expect(await running).toMatchObject({ toolRuns: 5 })
      expect(stage.provider.requestCount).toBe(5)
    },
  )

  it('a run that a person has paused is held until it is resumed', async () => {
    const stage = await startStage({ limits: { toolCalls: 9 } })
    await stage.run.pause()
    const running = runAgent(stage, wire)
    await stage.run.resume()
    expect(await running).toMatchObject({ error: null })
    expect(stage.provider.requestCount).toBe(1)
  })

  it('E3: an approved request continues, a denied one ends with the wrap-up', async () => {
    for (const isApproved of [true, false]) {
      const stage = await startStage({ limits: { toolCalls: 1 }, onLimit: 'ask', script: loopForEver() })
      const asked = eventOn(stage, 'increase_requested')
      const running = runAgent(stage, wire, { isStream: true, mostRounds: 2 })
      await asked
      const [request] = await stage.governor.requests()
      if (isApproved) await stage.governor.approve(request!.id, { amount: 1 })
      else await stage.governor.deny(request!.id)
      const run = await running
      if (isApproved) expect(run.toolRuns).toBe(2)
      else expect(run).toMatchObject({ error: null, toolRuns: 1, text: 'This is how far I came.' })
    }
  })

  it('E3: approved as requested, it continues for that long, and does not ask again immediately', async () => {
    const stage = await startStage({ limits: { toolCalls: 3 }, onLimit: 'ask', script: loopForEver() })
    const asked = eventOn(stage, 'increase_requested')
    const running = runAgent(stage, wire, { isStream: true, mostRounds: 8 })
    await asked
    const [request] = await stage.governor.requests()
    expect(await stage.governor.approve(request!.id)).toMatchObject({ asked: 5, granted: 5 })
    expect(await running).toMatchObject({ toolRuns: 8 })
    expect(await stage.governor.requests()).toEqual([])
  })

  it('at the maximum hold, a stream gets keep-alives and then a short answer, and any other client a 402', async () => {
    const stage = await startStage({ limits: { toolCalls: 1 }, onLimit: 'pause', script: loopForEver(), bounds: SOON })
    const first = await runAgent(stage, wire, { isStream: true })
    expect(first).toMatchObject({ error: null, toolRuns: 1 })
    expect(first.text).toContain('Stint has paused this run')
    const second = await runAgent(stage, wire, { isStream: false })
    expect(second.error).toMatchObject({ status: 402 })
    expect(stage.provider.requestCount).toBe(1)
    expect(stage.givenUp).toHaveLength(2)
    await stage.settle()
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0 })
  })

  it('a stream that was kept alive continues with the answer when the run is resumed', async () => {
    const stage = await startStage({
      limits: { toolCalls: 1 },
      onLimit: 'pause',
      script: loopForEver(),
      bounds: { waitMs: 50, pauseMs: 30_000 },
    })
    const client = wire === 'anthropic-messages' ? 'anthropic' : 'openai'
    await runAgent(stage, wire, { mostRounds: 1 })
    const bodies = {
      'anthropic-messages': {
        max_tokens: 100,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 'a', input_schema: { type: 'object' } }],
      },
      'openai-chat': {
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }],
      },
      'openai-responses': { input: 'hi', tools: [{ type: 'function', name: 'a', parameters: { type: 'object' } }] },
    }
    const path = {
      'anthropic-messages': 'messages',
      'openai-chat': 'chat/completions',
      'openai-responses': 'responses',
    }
    const answer = await fetch(`${stage.gateway.url}/k/${KEY}/${client}/v1/${path[wire]}`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'gpt-4.1', stream: true, ...bodies[wire] }),
    })
    // The first byte came though nothing was sent upstream.
    expect(stage.provider.requestCount).toBe(1)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    await stage.run.setLimits({ toolCalls: 5 })
    const text = await answer.text()
    expect(text).toContain('"a"')
    expect(stage.provider.requestCount).toBe(2)
  })

  it('a wait for calls in flight ends with 429 and retry-after, and ends nothing', async () => {
    const startGate = createGate()
    const stage = await startStage({
      limits: { outputTokens: 700 },
      bounds: SOON,
      script: () => ({ text: 'short', startGate }),
    })
    const first = runAgent(stage, wire, { maxTokens: 2_000 })
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    const second = await runAgent(stage, wire, { maxTokens: 2_000 })
    expect(second.error).toMatchObject({ status: 429 })
    expect((second.error as unknown as { headers: Headers }).headers.get('retry-after')).toBe('10')
    startGate.open()
    expect(await first).toMatchObject({ error: null })
    expect(await runAgent(stage, wire, { maxTokens: 500 })).toMatchObject({ error: null })
  })
})
