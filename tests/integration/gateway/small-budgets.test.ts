import { describe, expect, it, onTestFinished } from 'vitest'
import { leastIn, twelveBudgets } from '../../../e2e/small-budgets/budgets.ts'
import { possibleSpend } from '../../../e2e/small-budgets/possible-spend.ts'
import { referenceConversation } from '../../../e2e/small-budgets/reference-conversation.ts'
import { MARGIN, problemsIn, type ShareFloor, type SweepRow } from '../../../e2e/small-budgets/sweep-row.ts'
import { parseLimits } from '../../../src/policy/index.ts'
import {
  createScriptedProvider,
  type LoopOptions,
  loopForEver,
  toolThenText,
} from '../../../src/testing/provider/index.ts'
import { type PlainLoopOptions, type PlainRun, type PlainWire, runPlainLoop } from './plain-loop.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const CLOSING = 'This is how far I came.'
const NANO = 1_000_000_000
const REFERENCE_ROUNDS = 8

interface Sweep extends Omit<PlainLoopOptions, 'baseUrl'> {
  readonly name: string
  /** Whether the provider keeps what it was told to cache. */
  readonly caching: boolean
  readonly needs: LoopOptions
  /** Up to so many times the least. Default: 30. */
  readonly times?: number
  readonly floors?: readonly ShareFloor[]
}

const SHORT = { outputTokens: 300, closingTokens: 200 }
const LONG = { outputTokens: 2_500, closingTokens: 600 }

const SWEEPS: readonly Sweep[] = [
  {
    name: 'Messages with 84 kB, cached, thinking',
    wire: 'anthropic-messages',
    promptBytes: 84_000,
    isMarked: true,
    thinks: true,
    caching: true,
    needs: { ...SHORT, thinkingTokens: 400 },
    times: 12,
    floors: [
      { times: 3, share: 0.55 },
      { times: 10, share: 0.75 },
    ],
  },
  {
    name: 'Messages with 84 kB, not cached',
    wire: 'anthropic-messages',
    promptBytes: 84_000,
    caching: false,
    needs: SHORT,
    floors: [
      { times: 3, share: 0.8 },
      { times: 10, share: 0.85 },
    ],
  },
  {
    name: 'Messages with long answers',
    wire: 'anthropic-messages',
    promptBytes: 20_000,
    isMarked: true,
    caching: true,
    needs: LONG,
    times: 15,
  },
  { name: 'Responses', wire: 'openai-responses', promptBytes: 39_000, caching: true, needs: SHORT, times: 15 },
  {
    name: 'Responses with long answers and thinking',
    wire: 'openai-responses',
    promptBytes: 39_000,
    caching: true,
    needs: { ...LONG, thinkingTokens: 800 },
    times: 12,
  },
  { name: 'Chat, not cached', wire: 'openai-chat', promptBytes: 20_000, caching: false, needs: SHORT },
]

const pathOf = (wire: PlainWire): string => (wire === 'anthropic-messages' ? '/anthropic' : '/openai/v1')

/** The loop under one cost limit, as `--limit cost=…` would set it. */
async function runUnder(budgetUsd: number, sweep: Sweep): Promise<{ readonly stage: Stage; readonly run: PlainRun }> {
  const stage = await startStage({
    limits: parseLimits([`cost=${budgetUsd}`], { layer: 'call', flag: '--limit' }),
    script: loopForEver({ toolName: 'look', closing: CLOSING, ...sweep.needs }),
    provider: { caching: sweep.caching },
    wrapUp: true,
  })
  const run = await runPlainLoop({ ...sweep, baseUrl: `${stage.gateway.url}/k/${KEY}${pathOf(sweep.wire)}` })
  await stage.settle()
  return { stage, run }
}

/** The same without limits and without us, for so many rounds. */
async function referenceOf(sweep: Sweep) {
  const script = toolThenText(REFERENCE_ROUNDS, { toolName: 'look', ...sweep.needs })
  const provider = await createScriptedProvider({ script, caching: sweep.caching })
  onTestFinished(() => provider.close())
  const isAnthropic = sweep.wire === 'anthropic-messages'
  await runPlainLoop({ ...sweep, baseUrl: isAnthropic ? provider.url : provider.openaiUrl })
  return referenceConversation(provider)
}

describe('an answer at every limit, using as much of the budget as is safe', () => {
  it.each(SWEEPS)('$name', async (sweep) => {
    const refused = await runUnder(0.000_1, sweep)
    expect(refused.stage.provider.requestCount).toBe(0)
    const least = leastIn(refused.run.refusal?.message ?? '')
    expect(least, refused.run.refusal?.message).not.toBeNull()
    const conversation = await referenceOf(sweep)
    const rows: SweepRow[] = []
    for (const budgetUsd of twelveBudgets(least!, sweep.times)) {
      const { stage, run } = await runUnder(budgetUsd, sweep)
      const { costNanoUsd, toolCalls, entries } = stage.provider.book()
      const last = entries.at(-1)
      const closing = last === undefined || last.toolCalls > 0 ? null : last.usage
      rows.push({
        budgetUsd,
        toolCalls,
        spentNanoUsd: costNanoUsd,
        ledgerNanoUsd: (await stage.run.usage()).cost.settled,
        possibleNanoUsd: possibleSpend(budgetUsd * NANO, conversation, closing)?.spentNanoUsd ?? null,
        surelyPossibleNanoUsd:
          possibleSpend(budgetUsd * NANO * (1 - MARGIN), conversation, closing)?.spentNanoUsd ?? null,
        isAnswered: run.text.startsWith(CLOSING),
        exitCode: null,
        note: run.refusal === null ? `text: ${run.text.slice(0, 40)}` : `${run.refusal.status}`,
      })
    }
    expect(problemsIn(rows, sweep.floors)).toEqual([])
  })
})

describe('three clients at the same time on one lasting budget', () => {
  const SWEEP = SWEEPS[0]!

  it.each([3, 6, 12])('all admitted clients get an answer: %i times the minimum for one', async (times) => {
    const least = leastIn((await runUnder(0.000_1, SWEEP)).run.refusal?.message ?? '')
    expect(least).not.toBeNull()
    const script = loopForEver({ toolName: 'look', closing: CLOSING, ...SWEEP.needs })
    let budget: Awaited<ReturnType<Stage['governor']['budget']>> | null = null
    const stage = await startStage({ script, admission: { scopeOf: async () => budget } })
    const limits = parseLimits([`cost=${(least! * times).toFixed(6)}`], { layer: 'call', flag: '--limit' })
    budget = await stage.governor.budget('team:core', { limits })
    const runs = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        runPlainLoop({
          ...SWEEP,
          baseUrl: `${stage.gateway.url}/anthropic`,
          headers: { 'x-stint-key': KEY, 'x-claude-code-session-id': name },
        }),
      ),
    )
    await stage.settle()
    const admitted = runs.filter(({ toolRuns }) => toolRuns > 0)
    expect(admitted.length).toBeGreaterThan(0)
    expect(admitted.map(({ text, refusal }) => [text.slice(0, CLOSING.length), refusal])).toEqual(
      admitted.map(() => [CLOSING, null]),
    )
    // The others were refused at their first request, with the smallest limit that would do.
    for (const { refusal, text } of runs.filter(({ toolRuns }) => toolRuns === 0)) {
      expect([text, refusal?.message]).toEqual(['', expect.stringContaining('need up to $')])
    }
    const { costNanoUsd } = stage.provider.book()
    expect(costNanoUsd).toBeLessThanOrEqual(Math.ceil(least! * times * NANO))
    expect((await budget.usage()).cost.settled).toBe(costNanoUsd)
  })
})
