import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PlannedConversation, playWorld } from './worlds.fixture.ts'

const NANO_PER_TOKEN = { write: 3_750, output: 15_000 }

const between = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max })

/** Prompts of 2 to 200 kB, answers of 100 to 8,000 tokens, with and without a cache. */
const conversation: fc.Arbitrary<PlannedConversation> = fc.record({
  startMs: between(0, 600_000),
  promptTokens: between(500, 50_000),
  askedOutput: fc.constantFrom(4_096, 16_384, 32_000),
  turns: between(4, 60),
  answers: fc.oneof(
    between(100, 8_000).map((tokens) => [tokens]),
    fc.array(between(100, 8_000), { minLength: 5, maxLength: 30 }),
  ),
  results: fc.oneof(
    between(50, 2_000).map((tokens) => [tokens]),
    fc.array(fc.oneof({ weight: 9, arbitrary: between(50, 2_000) }, { weight: 1, arbitrary: between(5_000, 20_000) }), {
      minLength: 5,
      maxLength: 30,
    }),
  ),
  callMs: between(2_000, 40_000),
  toolMs: between(1_000, 100_000),
  missEvery: fc.constantFrom(0, 2, 5, 50),
})

const budgetFor = (promptTokens: number, times: number): number =>
  Math.ceil((2 * promptTokens * NANO_PER_TOKEN.write + 2_000 * NANO_PER_TOKEN.output) * times)

describe('the closing policy', () => {
  it('in random worlds of 1 to 20 conversations on one budget: never overspends, and every admitted conversation gets an answer', async () => {
    const world = fc
      .record({
        conversations: fc.array(conversation, { minLength: 1, maxLength: 20 }),
        times: fc.double({ min: 0.2, max: 30, noNaN: true }),
      })
      .map(({ conversations, times }) => {
        const longest = Math.max(...conversations.map(({ promptTokens }) => promptTokens))
        return { conversations, budgetNanoUsd: budgetFor(longest, times) }
      })
    await fc.assert(
      fc.asyncProperty(world, async (each) => {
        const { ends, settledNanoUsd, held, reserved } = await playWorld(each)
        expect(settledNanoUsd).toBeLessThanOrEqual(each.budgetNanoUsd)
        expect([held, reserved]).toEqual([0, 0])
        expect(ends.filter(({ answer }) => answer === 'none')).toEqual([])
      }),
      { numRuns: 150 },
    )
  }, 120_000)

  it('with one conversation: more budget never gives fewer tool calls', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (planned) => {
        const counts: number[] = []
        for (const times of [0.5, 0.8, 1, 1.1, 1.3, 1.6, 2, 2.5, 3, 4, 6, 10, 20]) {
          const budgetNanoUsd = budgetFor(planned.promptTokens, times)
          const { ends } = await playWorld({ conversations: [{ ...planned, startMs: 0 }], budgetNanoUsd })
          counts.push(ends[0]!.toolCalls)
        }
        expect(counts).toEqual(counts.toSorted((left, right) => left - right))
      }),
      { numRuns: 40 },
    )
  }, 120_000)

  it('a refused first call names the smallest sufficient limit, and with that it runs and ends with an answer', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (planned) => {
        const conversations = [{ ...planned, startMs: 0 }]
        const refused = await playWorld({ conversations, budgetNanoUsd: budgetFor(planned.promptTokens, 0.3) })
        const { answer, leastLimit } = refused.ends[0]!
        expect(answer).toBe('refused')
        expect(refused.settledNanoUsd).toBe(0)
        const { ends } = await playWorld({ conversations, budgetNanoUsd: leastLimit! })
        expect(ends[0]).toMatchObject({ answer: 'closing' })
        expect(ends[0]!.toolCalls).toBeGreaterThan(0)
      }),
      { numRuns: 40 },
    )
  }, 120_000)
})
