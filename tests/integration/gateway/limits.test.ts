import { describe, expect, it } from 'vitest'
import { loopForEver } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { startStage } from './stage.ts'

describe.each(WIRES)('limits at the gateway, %s', (wire) => {
  const shapes = [false, true].flatMap((isStream) => [1, 3].map((parallel) => ({ isStream, parallel })))

  it.each(shapes)('A2, A6, A12, I9: exactly N tool calls under toolCalls: N, %o', async ({ isStream, parallel }) => {
    for (let most = 1; most <= 6; most++) {
      const stage = await startStage({ limits: { toolCalls: most }, script: loopForEver({ parallel }) })
      const run = await runAgent(stage, wire, { isStream })
      expect(run).toMatchObject({ error: null, toolRuns: most, text: 'This is how far I came.' })
      expect(run.requests).toBe(Math.ceil(most / parallel) + 1)
      expect(stage.provider.requestCount).toBe(run.requests)
      await stage.settle()
      const usage = await stage.run.usage()
      expect(usage.toolCalls).toMatchObject({ settled: most, reserved: 0, overrun: 0 })
      expect(usage.modelCalls).toMatchObject({ settled: run.requests, reserved: 0 })
      expect(usage.cost).toMatchObject({ settled: stage.provider.book().costNanoUsd, reserved: 0 })
      expect(stage.calls.map(({ isClosing }) => isClosing)).toEqual([...Array(run.requests - 1).fill(false), true])
    }
  })

  it('D6: an execution cost limit applies to every request, since none names its phase', async () => {
    const limits = { planningCost: 5, executionCost: 0.02 }
    const stage = await startStage({ limits, script: loopForEver({ text: 'word '.repeat(400) }) })
    const run = await runAgent(stage, wire, { isStream: true })
    expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    await stage.settle()
    const { planningCost, executionCost, cost } = await stage.run.usage()
    expect(executionCost).toMatchObject({ settled: stage.provider.book().costNanoUsd, reserved: 0, overrun: 0 })
    expect([planningCost.settled, cost.settled]).toEqual([0, executionCost.settled])
  })

  it.each(shapes)('A11: exactly N requests under modelCalls: N, the last is the wrap-up, %o', async (shape) => {
    for (let most = 1; most <= 6; most++) {
      const stage = await startStage({
        limits: { modelCalls: most },
        script: loopForEver({ parallel: shape.parallel }),
      })
      const run = await runAgent(stage, wire, shape)
      expect(stage.provider.requestCount).toBe(most)
      await stage.settle()
      const usage = await stage.run.usage()
      expect(usage.modelCalls).toMatchObject({ settled: most, reserved: 0, overrun: 0 })
      expect(usage.cost.settled).toBe(stage.provider.book().costNanoUsd)
      if (most === 1) expect(run.error).toMatchObject({ status: 402 })
      else expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    }
  })
})
