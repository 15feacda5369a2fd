import type { Script } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { resultsIn } from './contract-stage.ts'

/** Faults of providers and models. */
export function describeFaults(contract: AdapterContract): void {
  const { describe, it, expect, stage, isStreaming, modelCallsUnder } = contract
  describe('faults', () => {
    it('F2: repeated tool-call ids: each call is counted, and each result keeps its own hint', async () => {
      const { model, ran, run, scope } = await stage({ script: repeatsIds(), limits: { toolCalls: 5 } })
      expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'toolCalls' } })
      expect(ran).toHaveLength(5)
      expect((await scope.usage()).toolCalls).toMatchObject({ settled: 5, overrun: 0 })
      const left = resultsIn(model).map((result) => /\[budget: (\d) of 5 tool calls left/.exec(result)?.[1] ?? null)
      expect(left.slice(0, 5)).toEqual([null, '3', '2', '1', '0'])
      for (const [index, { request }] of model.book.slice(1).entries()) {
        const before = model.book[index]!.request.messages
        expect(JSON.stringify(request.messages.slice(0, before.length))).toBe(JSON.stringify(before))
      }
    })

    it('E5: a provider that refuses `tool_choice: none` is asked once more without the tools', async () => {
      const { model, run, scope } = await stage({ script: knowsNoNone(), limits: { toolCalls: 2 } })
      expect(await run()).toMatchObject({ status: 'limit-reached', output: null, partialOutput: 'In short: x.' })
      expect(model.book).toHaveLength(modelCallsUnder(2) + 1)
      const [refused, closing] = model.book.slice(-2)
      expect([refused?.outcome, refused?.request.toolChoice]).toEqual(['failed', 'none'])
      expect([closing?.outcome, closing?.request.toolChoice, closing?.request.tools]).toEqual([
        'answered',
        undefined,
        undefined,
      ])
      expect((await scope.usage()).modelCalls).toMatchObject({ settled: modelCallsUnder(2), refused: 1, reserved: 0 })
    })

    it('D7: an answer that breaks off: unknown usage is assumed, and the run reports it', async () => {
      const { events, model, run, scope } = await stage({
        script: [
          { text: 'Looking.', toolCalls: [{ name: 'read', arguments: { path: 'a' } }] },
          { text: 'word '.repeat(100), breaksOff: true },
        ],
        limits: { outputTokens: 5_000, cost: 1 },
      })
      const { status, output, partialOutput } = await run()
      expect([status, output]).toEqual(['failed', null])
      // Returns what has arrived, or else the previous text.
      if (isStreaming) expect('word '.repeat(100).startsWith(partialOutput ?? 'nothing')).toBe(true)
      else expect(partialOutput).toBe('Looking.')
      const { modelCalls, outputTokens, cost } = await scope.usage()
      expect(modelCalls).toMatchObject({ settled: 2, assumed: 1, refused: 0, reserved: 0 })
      const [first, second] = model.book
      expect(outputTokens).toMatchObject({ settled: first!.billed.outputTokens + 1_000, assumed: 1_000, reserved: 0 })
      const billed = [first!, second!].reduce((sum, entry) => sum + costOf(entry.billed), 0)
      expect(cost.settled >= billed).toBe(true)
      expect(cost.assumed >= costOf(second!.billed)).toBe(true)
      expect((await events()).filter(({ event }) => event === 'reservation_assumed')).toHaveLength(1)
    })
  })
}

const costOf = ({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }) =>
  inputTokens * 1_000 + outputTokens * 5_000

/** A model whose calls all have the same id. */
function repeatsIds(): Script {
  return function* () {
    for (let count = 1; ; count++) {
      yield { text: 'So.', toolCalls: [{ id: 'call_0', name: 'read', arguments: { path: String(count) } }] }
    }
  }
}

/** A provider that doesn't know `none`, with a model that calls tools as long as there are any. */
function knowsNoNone(): Script {
  return function* (first) {
    let request = first
    for (let count = 1; ; count++) {
      if (request.toolChoice === 'none') {
        request = yield { error: { status: 400, message: "tool_choice: 'none' is not supported by this model." } }
      } else if (request.tools === undefined) {
        request = yield { text: 'In short: x.', answersWithoutTools: true }
      } else {
        request = yield { text: 'So.', toolCalls: [{ name: 'read', arguments: { path: String(count) } }] }
      }
    }
  }
}
