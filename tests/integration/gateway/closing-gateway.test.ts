import { describe, expect, it } from 'vitest'
import { createGate } from '../../../src/testing/provider/index.ts'
import { runAgent } from './agents.ts'
import { startStage } from './stage.ts'

describe('a gateway that closes', () => {
  it('lets requests in flight finish, and accepts no new ones', async () => {
    const startGate = createGate()
    const stage = await startStage({ limits: { cost: 1 }, script: () => ({ text: 'Finished.', startGate }) })
    const running = runAgent(stage, 'anthropic-messages')
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    const closing = stage.gateway.close(10_000)
    startGate.open()
    expect(await running).toMatchObject({ error: null, text: 'Finished.' })
    await closing
    expect((await runAgent(stage, 'anthropic-messages')).error).not.toBeNull()
    expect(stage.provider.requestCount).toBe(1)
    expect((await stage.run.usage()).cost).toMatchObject({ settled: stage.provider.book().costNanoUsd, reserved: 0 })
  })

  it.each([true, false])('cuts what does not end within the grace, and charges it (stream: %s)', async (isStream) => {
    const stage = await startStage({
      limits: { cost: 1 },
      script: () => ({ fault: { kind: 'stall', afterPieces: 1 } }),
    })
    const running = runAgent(stage, 'anthropic-messages', { isStream })
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    await stage.gateway.close(20)
    expect((await running).error).not.toBeNull()
    const { modelCalls, outputTokens } = await stage.run.usage()
    expect(modelCalls).toMatchObject({ settled: 1, reserved: 0 })
    expect(outputTokens).toMatchObject({ settled: 1_000, reserved: 0 })
  })

  it('releases the clients that wait for a paused run', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    await stage.run.pause()
    const running = runAgent(stage, 'anthropic-messages')
    await new Promise<void>((resolve) => setImmediate(resolve))
    await stage.gateway.close(20)
    expect((await running).error).not.toBeNull()
    expect(stage.provider.requestCount).toBe(0)
  })

  it('refuses invalid bounds and upstreams', async () => {
    await expect(startStage({ bounds: { waitMs: 0 } })).rejects.toThrow(/waitMs/)
    await expect(startStage({ upstream: { baseUrl: 'not an address' } })).rejects.toThrow(/baseUrl/)
    await expect(startStage({ upstream: { baseUrl: 'file:///etc/passwd' } })).rejects.toThrow(/baseUrl/)
  })
})
