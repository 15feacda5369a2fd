import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { leastIn } from '../../../e2e/small-budgets/budgets.ts'
import { createScriptedProvider, loopForEver } from '../../../src/testing/provider/index.ts'
import { createMachine } from './start-exec.ts'

const CLOSING = 'This is how far I came.'
const NANO = 1_000_000_000
const AGENT = join(import.meta.dirname, 'plain-agent.ts')

async function openMachine(outputTokens: number) {
  const script = loopForEver({ closing: CLOSING, outputTokens, thinkingTokens: 400, closingTokens: 200 })
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const machine = createMachine({
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'made-up',
    OPENAI_BASE_URL: provider.openaiUrl,
    OPENAI_API_KEY: 'made-up',
  })
  return { ...machine, provider }
}

describe.each([
  ['anthropic-messages', 84_000, 300],
  ['openai-responses', 39_000, 2_500],
] as const)(
  'stint exec and a script that speaks %s with %i bytes and answers of %i tokens',
  (wire, bytes, outputTokens) => {
    const command = [process.execPath, AGENT, wire, String(bytes)]

    it('too small a budget is refused before a byte is sent, with the smallest that works; from there on there is an answer', async () => {
      const small = await openMachine(outputTokens)
      const refused = await small.exec(['--limit', 'cost=0.001'], command)
      expect(refused).toMatchObject({ exitCode: 124, stdout: '', report: { status: 'limit-reached', calls: 0 } })
      expect(small.provider.requestCount).toBe(0)
      const least = leastIn(JSON.stringify(refused.report))
      expect([refused.stderr, least !== null]).toEqual([expect.stringContaining('at least --limit cost='), true])
      let toolCalls = 0
      for (const times of [1, 2, 5]) {
        const { exec, provider } = await openMachine(outputTokens)
        const limitUsd = least! * times
        const end = await exec(['--limit', `cost=${limitUsd}`], command)
        expect(end).toMatchObject({
          exitCode: 124,
          stdout: expect.stringContaining(CLOSING),
          report: { status: 'limit-reached', breach: { meter: 'cost' }, hasWrappedUp: true },
        })
        const book = provider.book()
        expect(end.report.usage.cost!.settled).toBe(book.costNanoUsd)
        expect(book.costNanoUsd).toBeLessThanOrEqual(limitUsd * NANO)
        // The least pays for a short first answer: a longer one gives way to the closing answer.
        expect(book.toolCalls).toBeGreaterThan(times === 1 && outputTokens > 300 ? -1 : toolCalls)
        toolCalls = book.toolCalls
      }
    })
  },
)
