import type { Script } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { loopsForEver, readTool } from './contract-stage.ts'

const NANO_USD = 1_000_000_000

/** What a run may spend. */
export function describeMoney({ describe, it, itNeeds, expect, stage }: AdapterContract): void {
  describe('money', () => {
    it('D2: a call that could cost more than is left is cut, or refused before it is made', async () => {
      // Half a cent for a thousand tokens of output: a dollar is 200,000 of them.
      const { model, run, scope } = await stage({
        script: writesAll(),
        limits: { cost: 1 },
        maxOutputTokens: 20_000,
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'cost' } })
      const { cost } = await scope.usage()
      expect([cost.overrun, cost.reserved, cost.held]).toEqual([0, 0, 0])
      expect(cost.settled > 0.95 * NANO_USD).toBe(true)
      const caps = model.book.map(({ request }) => request.maxOutputTokens ?? 0)
      expect(caps[0]).toBe(20_000)
      expect(Math.min(...caps) < 20_000).toBe(true)
      expect(model.book.every(({ outcome }) => outcome === 'answered')).toBe(true)
    })

    it('D6: calls without a phase count towards the execution cost', async () => {
      const limits = { planningCost: 0.5, executionCost: 0.1, cost: 1 }
      const { run, scope } = await stage({ script: writesAll(), limits, maxOutputTokens: 2_000 })
      expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'executionCost' } })
      const { planningCost, executionCost, cost } = await scope.usage()
      expect([planningCost.settled, executionCost.settled, executionCost.overrun]).toEqual([0, cost.settled, 0])
      expect(cost.settled > 0.08 * NANO_USD).toBe(true)
    })

    for (const [size, prompt, least] of [
      ['conversations of 2k tokens', 'word '.repeat(1_000), 0.9],
      ['requests of 84 kB', 'word '.repeat(16_800), 0.7],
    ] as const) {
      itNeeds(
        'bound-thinking',
        `D9: 32,000 output tokens with a thinking budget of 31,999, ${size}: it continues, and ends with an answer`,
        async () => {
          const { run, scope } = await stage({
            script: writesAll(6_000),
            limits: { cost: 1 },
            prompt,
            maxOutputTokens: 32_000,
            thinkingBudget: 31_999,
            tools: [readTool({ execute: () => 'ok' })],
          })
          const { status, partialOutput } = await run()
          expect([status, partialOutput !== null]).toEqual(['limit-reached', true])
          const { cost } = await scope.usage()
          expect(cost.overrun).toBe(0)
          expect(cost.settled > least * NANO_USD).toBe(true)
        },
      )
    }

    itNeeds('bound-thinking', 'D9: under $0.50 the first request of 84 kB runs', async () => {
      const { run } = await stage({
        script: [{ text: 'Done.', thinkingTokens: 1_000 }],
        limits: { cost: 0.5 },
        prompt: 'word '.repeat(16_800),
        maxOutputTokens: 32_000,
        thinkingBudget: 31_999,
      })
      expect(await run()).toMatchObject({ status: 'completed', output: 'Done.' })
    })

    it('what was really used is charged, cache reads and writes and reasoning in their own columns', async () => {
      const usage = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 1_000, reasoningTokens: 20 }
      const { run, scope } = await stage({ script: [{ text: 'Done.', usage }], limits: { tokens: '100k', cost: 1 } })
      await run()
      const { tokens, outputTokens, uncachedTokens } = await scope.usage()
      expect([tokens.settled, outputTokens.settled, uncachedTokens.settled]).toEqual([1_150, 50, 150])
    })

    it('an answer without usage is charged at its worst case', async () => {
      const { run, scope } = await stage({ script: [{ text: 'Done.', usage: null }], limits: { outputTokens: 5_000 } })
      await run()
      expect((await scope.usage()).outputTokens.settled).toBe(1_000)
    })

    it('a call whose answer was lost on its way is assumed, and two in a row pause the run', async () => {
      const lost = { error: { status: 504, message: 'Gateway time-out' } }
      const { model, run, scope } = await stage({
        script: [lost, lost, { text: 'too dear' }],
        limits: { outputTokens: 5_000 },
        maxRetries: 1,
      })
      expect(await run()).toMatchObject({ status: 'paused', breach: null })
      expect(model.book).toHaveLength(2)
      const { modelCalls, outputTokens } = await scope.usage()
      expect([modelCalls.settled, modelCalls.assumed, modelCalls.refused]).toEqual([2, 2, 0])
      expect([outputTokens.settled, outputTokens.assumed]).toEqual([2_000, 2_000])
    })

    it('a model without a price is refused before the first call if a person limited the cost', async () => {
      const { model, run } = await stage({ script: loopsForEver(), limits: { cost: 1 }, modelId: 'no-such-model' })
      expect(await run()).toMatchObject({ status: 'failed' })
      expect(model.book).toHaveLength(0)
    })
  })
}

/** A model that thinks and writes as much as allowed, and keeps calling tools. */
function writesAll(thinkingTokens = 0): Script {
  return function* (request) {
    for (let count = 1; ; count++) {
      const room = Math.max(0, (request.maxOutputTokens ?? 32_000) - thinkingTokens - 50)
      const text = 'x'.repeat(Math.min(room, 4_000) * 4)
      request = yield { text, thinkingTokens, toolCalls: [{ name: 'read', arguments: { path: String(count) } }] }
    }
  }
}
