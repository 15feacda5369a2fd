import type { Script } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { readTool } from './contract-stage.ts'

const CLOSING = 'This is how far I came.'
const BUDGETS = 10
const MOST_TIMES = 20

/** What is reserved for the closing call: enough for an answer at every budget, and no more. */
export function describeClosingPolicy({ describe, it, expect, stage }: AdapterContract): void {
  describe('the closing policy', () => {
    for (const [answers, outputTokens] of [
      ['short answers', 200],
      ['answers as long as the cap', 1_000],
    ] as const) {
      for (const meter of ['cost', 'tokens'] as const) {
        const title = `an answer at every limit on ${meter} from the least that a refusal names, ${answers}: never over, and never less work for more`
        it(title, async () => {
          const runUnder = async (limit: number) => {
            const stages = await stage({
              script: worksUntilClosing(outputTokens),
              limits: { [meter]: limit },
              prompt: 'word '.repeat(1_500),
              tools: [readTool({ execute: () => 'line of a file '.repeat(60) })],
            })
            const end = await stages.run()
            return { ...stages, end, usage: (await stages.scope.usage())[meter] }
          }
          const refused = await runUnder(meter === 'cost' ? 0.000_1 : 100)
          expect([refused.model.book.length, refused.end.status]).toEqual([0, 'limit-reached'])
          const least = leastIn(refused.end.breach)
          expect(least > 0).toBe(true)
          let before = 0
          for (const limit of budgetsFrom(least, meter === 'cost' ? 0.000_001 : 1)) {
            const { end, model, ran, usage } = await runUnder(limit)
            expect([limit, end.status, end.partialOutput]).toEqual([limit, 'limit-reached', CLOSING])
            expect(usage).toMatchObject({ overrun: 0, reserved: 0, held: 0 })
            expect(model.book.every(({ outcome }) => outcome === 'answered')).toBe(true)
            expect([limit, ran.length >= before]).toEqual([limit, true])
            before = ran.length
          }
          expect(before > 3).toBe(true)
        })
      }
    }
  })
}

/** The smallest sufficient budget, as a refusal names it. */
function leastIn(breach: object | null): number {
  const { message = '' } = (breach ?? {}) as { readonly message?: string }
  return Number(/at least [^\d]*([\d.]*\d)/i.exec(message)?.[1] ?? 0)
}

/** Budgets from the smallest to many times that, by a constant factor. */
function budgetsFrom(least: number, step: number): readonly number[] {
  const factor = MOST_TIMES ** (1 / (BUDGETS - 1))
  const larger = Array.from({ length: BUDGETS - 1 }, (_, index) => Math.ceil((least / step) * factor ** (index + 1)))
  return [least, ...larger.map((steps) => Number((steps * step).toFixed(6)))]
}

/** Works with this many output tokens per answer until it must close. */
function worksUntilClosing(outputTokens: number): Script {
  return function* (first) {
    let request = first
    for (let count = 1; ; count++) {
      const toolCalls = [{ name: 'read', arguments: { path: `file-${count}` } }]
      const text = 'word'.repeat(Math.max(1, outputTokens - 20))
      request = yield request.toolChoice === 'none' ? { text: CLOSING } : { text, toolCalls }
    }
  }
}
