import { createScriptedModel } from '../../scripted/scripted-model.ts'
import type { Script } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { loopsForEver, readTool, resultsIn } from './contract-stage.ts'

const LONG = 'word '.repeat(4_000)

/** Calls a tool as long as it is allowed to, and then answers with these texts in order. */
function closesWith(...closing: readonly string[]): Script {
  return function* (first) {
    let request = first
    for (let said = 0; ; ) {
      const isClosing: boolean = request.toolChoice === 'none'
      request = yield isClosing
        ? { text: closing[said++] ?? '' }
        : { toolCalls: [{ name: 'read', arguments: { path: String(said) } }] }
    }
  }
}

/** How a run ends at a limit: with an answer. */
export function describeClosing(contract: AdapterContract): void {
  const { describe, it, itNeeds, expect, stage, modelCallsUnder } = contract
  describe('closing', () => {
    it('E5, E6: one closing call that may not use tools, which stay in the request; stray markup is stripped', async () => {
      const { model, run, scope } = await stage({ script: loopsForEver(), limits: { toolCalls: 2 } })
      expect(await run()).toMatchObject({ status: 'limit-reached', output: null, partialOutput: 'Found so far: x.' })
      const [work, last] = [model.book[0]!, model.book.at(-1)!]
      expect(last.answer?.text.includes('<tool_call>')).toBe(true)
      expect(last.request.toolChoice).toBe('none')
      expect(last.request.tools).toEqual(work.request.tools)
      expect(last.request.messages.at(-1)?.content.startsWith('You have reached the limit of 2 tool calls.')).toBe(true)
      expect(scope.status()).toBe('limit-reached')
    })

    it('E5: with a long conversation it is made to fit: the oldest tool results are left out first', async () => {
      // Two results of 10,000 tokens each: one call with both would not fit.
      const { model, run, scope } = await stage({
        script: loopsForEver(),
        limits: { tokens: '30k' },
        tools: [readTool({ execute: () => 'word '.repeat(8_000) })],
      })
      const { status, partialOutput } = await run()
      expect([status, partialOutput]).toEqual(['limit-reached', 'Found so far: x.'])
      expect(resultsIn(model).map((result) => result.startsWith('word '))).toEqual([false, true])
      expect(resultsIn(model)[0]).toBe('[left out, so that the closing answer fits into the budget]')
      expect((await scope.usage()).tokens).toMatchObject({ overrun: 0, reserved: 0, held: 0 })
    })

    it('E5: if the closing call fails, the run keeps the status of the limit, and its last text', async () => {
      const { run, scope } = await stage({
        script: function* () {
          for (let count = 1; count <= 2; count++)
            yield { text: `Step ${count}.`, toolCalls: [{ name: 'read', arguments: { path: String(count) } }] }
          for (;;) yield { error: { status: 400, message: 'no' } }
        },
        limits: { toolCalls: 1 },
      })
      expect(await run()).toMatchObject({
        status: 'limit-reached',
        output: null,
        partialOutput: 'Step 2.',
        breach: { meter: 'toolCalls' },
      })
      expect(scope.status()).toBe('limit-reached')
    })

    it('E5: a closing answer that is empty or cut by its cap is requested once more, in short', async () => {
      for (const first of [LONG, '']) {
        const { model, run, scope, events } = await stage({
          script: closesWith(first, 'In short: x.'),
          limits: { toolCalls: 1 },
        })
        expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'In short: x.' })
        const [closing, again] = model.book.slice(-2)
        expect(model.book).toHaveLength(modelCallsUnder(1) + 1)
        expect(again?.request.maxOutputTokens).toBe(256)
        expect(again?.request.toolChoice).toBe('none')
        expect(again?.request.messages.length).toBe(closing?.request.messages.length)
        expect(again?.request.messages.at(-1)?.content.endsWith('Answer in at most 100 words.')).toBe(true)
        expect((await scope.usage()).modelCalls.settled).toBe(modelCallsUnder(1) + 1)
        expect((await events()).filter(({ event }) => event === 'wrap_up_started')).toHaveLength(1)
      }
    })

    it('E5: if there is nothing left for that, or it is cut too, the text says that it was cut', async () => {
      for (const [limits, calls] of [
        [{ modelCalls: 2 }, 2],
        [{ toolCalls: 1 }, modelCallsUnder(1) + 1],
      ] as const) {
        const { model, run } = await stage({ script: closesWith(LONG, `other ${LONG}`), limits })
        const { status, partialOutput } = await run()
        expect([status, partialOutput]).toEqual([
          'limit-reached',
          `${LONG.slice(0, 4_000).trimEnd()}\n\n[cut at the budget]`,
        ])
        expect(model.book).toHaveLength(calls)
      }
    })

    it('an answer that a lowered cap has cut is replaced by the closing answer', async () => {
      const { model, run, scope, events } = await stage({
        script: [{ text: LONG }, { text: 'In short: x.' }],
        limits: { outputTokens: 1_600 },
        maxOutputTokens: 4_000,
      })
      const { status, output, partialOutput, breach } = await run()
      expect([status, output, partialOutput]).toEqual(['limit-reached', null, 'In short: x.'])
      expect(breach).toMatchObject({ meter: 'outputTokens', limit: 1_600 })
      expect(model.book.map(({ request }) => request.toolChoice)).toEqual(['auto', 'none'])
      const { modelCalls, outputTokens } = await scope.usage()
      expect(modelCalls).toMatchObject({ settled: 2, reserved: 0 })
      expect(outputTokens).toMatchObject({ overrun: 0, reserved: 0, held: 0 })
      expect((await events()).filter(({ event }) => event === 'wrap_up_started')).toHaveLength(1)
    })

    it('a cut answer without a closing one is reported with the limit that cut it', async () => {
      const { run, scope, events } = await stage({
        script: [{ text: LONG }],
        limits: { outputTokens: 1_600 },
        maxOutputTokens: 4_000,
      })
      const { status, output, partialOutput, breach } = await run()
      expect([status, output]).toEqual(['limit-reached', null])
      expect(LONG.startsWith(partialOutput ?? '?')).toBe(true)
      expect(breach).toMatchObject({ meter: 'outputTokens', limit: 1_600 })
      expect(scope.status()).toBe('limit-reached')
      expect((await events()).filter(({ event }) => event === 'call_clamped')).toHaveLength(1)
    })

    it('an answer that the agent’s own cap has cut is a completed run', async () => {
      const { run } = await stage({ script: [{ text: LONG }], limits: { outputTokens: 9_000 } })
      expect(await run()).toMatchObject({ status: 'completed', breach: null })
    })

    itNeeds(
      'run-tools',
      'E7: a final answer after the last tool call is a completed run that reports its overrun',
      async () => {
        const { run, scope, events } = await stage({
          script: [
            { text: 'looking', toolCalls: [{ name: 'read', arguments: { path: 'a' } }] },
            { text: 'It is done.', usage: { outputTokens: 3_000 } },
          ],
          limits: { toolCalls: 1, outputTokens: 2_500 },
        })
        expect(await run()).toMatchObject({ status: 'completed', output: 'It is done.', breach: null })
        expect(scope.status()).toBe('completed')
        const emitted = (await events()).filter(({ event }) => event === 'agent_completed')
        expect(emitted).toHaveLength(1)
        expect(emitted[0]).toMatchObject({ overrun: { outputTokens: 506 } })
      },
    )

    it('E7: a final answer that exceeds its limit is a completed run that reports its overrun', async () => {
      const { run, scope, events } = await stage({
        script: [{ text: 'It is done.', usage: { outputTokens: 3_000 } }],
        limits: { outputTokens: 2_500 },
      })
      expect(await run()).toMatchObject({ status: 'completed', output: 'It is done.', breach: null })
      expect(scope.status()).toBe('completed')
      const told = (await events()).filter(({ event }) => event === 'agent_completed')
      expect(told).toHaveLength(1)
      expect(told[0]).toMatchObject({ overrun: { outputTokens: 500 } })
    })

    it('E13: small limits allow the work they can pay for, without a useless closing call, and end clearly', async () => {
      const plays: readonly (readonly [object, number, number])[] = [
        [{ toolCalls: 1 }, 1, modelCallsUnder(1)],
        [{ modelCalls: 1 }, 1, 1],
        [{ modelCalls: 2 }, 1, 2],
      ]
      for (const [limits, tools, calls] of plays) {
        const { model, ran, run } = await stage({ script: loopsForEver(), limits })
        expect(await run()).toMatchObject({ status: 'limit-reached' })
        expect([ran.length, model.book.length]).toEqual([tools, calls])
      }
      for (const limits of [{ tokens: 2_000 }, { cost: 0.01 }]) {
        const { run, scope } = await stage({ script: loopsForEver(), limits })
        const { status, partialOutput } = await run()
        expect([status, partialOutput]).toEqual(['limit-reached', 'Found so far: x.'])
        const { tokens, cost } = await scope.usage()
        expect([tokens.overrun, cost.overrun]).toEqual([0, 0])
      }
    })

    it('E13: time 1500ms: nothing is held back, and the last text is returned', async () => {
      const { clock, model, run } = await stage({
        script: loopsForEver(),
        limits: { time: '1500ms' },
        tools: [readTool({ execute: () => clock.advance(600).then(() => 'text') })],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'Found so far: x. ' })
      expect(model.book).toHaveLength(3)
    })

    it('after a time limit the closing call has its reserved share of the time', async () => {
      const { clock, model, run } = await stage({
        script: loopsForEver(),
        limits: { time: '60s' },
        tools: [readTool({ execute: () => clock.advance(28_000).then(() => 'text') })],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'Found so far: x.' })
      expect(model.book.map(({ request }) => request.toolChoice ?? 'auto')).toEqual(['auto', 'auto', 'none'])
    })

    itNeeds('run-tools', 'E4: a limit hit while a changing tool runs: it is finished within its grace', async () => {
      const done: string[] = []
      const { clock, run } = await stage({
        script: loopsForEver(),
        limits: { time: '60s' },
        tools: [
          readTool({
            changes: true,
            async execute(_, { signal }) {
              await clock.advance(58_000)
              done.push(signal.aborted ? 'aborted' : 'finished')
              return 'written'
            },
          }),
        ],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', mayBeHalfDone: false })
      expect(done).toEqual(['finished'])
    })

    itNeeds('run-tools', 'E4: or the result says unsafe_boundary', async () => {
      const { clock, model, run } = await stage({
        script: loopsForEver(),
        limits: { time: '200s' },
        tools: [
          readTool({ changes: true, execute: () => clock.advance(195_000).then(() => new Promise<string>(() => {})) }),
        ],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', mayBeHalfDone: true })
      const result = model.book.at(-1)!.request.messages.find(({ role }) => role === 'tool')
      expect(result?.content.includes('unsafe_boundary')).toBe(true)
    })

    it('E12: of many children on one pool, every admitted conversation ends with an answer', async () => {
      const { governor, agent, runOther } = await stage({ script: loopsForEver(), prompt: 'word '.repeat(2_200) })
      const scope = await governor.open({ name: 'pool', within: null, limits: { tokens: '100k' } })
      const runs = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const child = await scope.open({ name: `child-${index}`, needs: { tokens: 8_000 } }).catch(() => null)
          if (child === null) return null
          const model = createScriptedModel(loopsForEver(1, true, { usage: { outputTokens: 1_000 } }))
          const run = await runOther({ ...agent, model, scope: child })
          // If neither the first call nor the closing call fits, nothing is sent.
          return model.book.length === 0 ? null : run
        }),
      )
      const admitted = runs.filter((run) => run !== null)
      expect(admitted.length > 8).toBe(true)
      expect(admitted.filter(({ output, partialOutput }) => output === null && partialOutput === null)).toEqual([])
      expect((await scope.usage()).tokens).toMatchObject({ overrun: 0, held: 0, reserved: 0 })
    })
  })
}
