import type { Script, ScriptedTurn } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { loopsForEver, resultsIn } from './contract-stage.ts'

const COUNTS = Array.from({ length: 13 }, (_, count) => count)

/** How many calls are made, whatever the model asks for. */
export function describeCounting(contract: AdapterContract): void {
  const { describe, it, itNeeds, expect, stage, modelCallsUnder } = contract
  describe('counting', () => {
    for (const isNewEachTime of [true, false]) {
      const which = isNewEachTime ? 'ever new arguments' : 'the same arguments'
      for (const calls of [1, 3]) {
        it(`A2, A6: exactly N tool calls under toolCalls: N, ${calls} at a time with ${which}`, async () => {
          for (const count of COUNTS) {
            const { model, ran, run, scope } = await stage({
              script: loopsForEver(calls, isNewEachTime),
              limits: { toolCalls: count },
            })
            expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'toolCalls' } })
            expect(ran).toHaveLength(count)
            const { toolCalls, modelCalls } = await scope.usage()
            expect(toolCalls).toMatchObject({ settled: count, reserved: 0, held: 0 })
            // Up to the refusal, plus the closing call.
            expect(model.book).toHaveLength(modelCallsUnder(count, calls))
            expect(modelCalls.settled).toBe(model.book.length)
            expect(model.book.every(({ outcome }) => outcome === 'answered')).toBe(true)
          }
        })

        it(`A11: exactly N model calls under modelCalls: N, ${calls} tools at a time with ${which}`, async () => {
          for (const count of COUNTS.slice(1)) {
            const { model, ran, run, scope } = await stage({
              script: loopsForEver(calls, isNewEachTime),
              limits: { modelCalls: count },
            })
            expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'modelCalls' } })
            expect(model.book).toHaveLength(count)
            expect(ran).toHaveLength(count === 1 ? calls : (count - 1) * calls)
            // The last one is the closing call, unless there is only one.
            const closing = model.book.filter(({ request }) => request.toolChoice === 'none')
            expect(closing).toHaveLength(count === 1 ? 0 : 1)
            expect((await scope.usage()).modelCalls).toMatchObject({ settled: count, overrun: 0, reserved: 0, held: 0 })
          }
        })
      }
    }

    it('A11: modelCalls: N lets N paid calls through, however many the provider refuses in between', async () => {
      for (const every of [2, 3]) {
        for (const count of COUNTS.slice(1)) {
          const { model, run, scope } = await stage({
            script: loopsBetweenRefusals(every),
            limits: { modelCalls: count },
            maxRetries: 2,
          })
          expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'modelCalls' } })
          const refused = model.book.filter(({ outcome }) => outcome === 'failed').length
          expect(model.book).toHaveLength(count + refused)
          expect(refused > 0).toBe(true)
          const { modelCalls } = await scope.usage()
          expect(modelCalls).toMatchObject({ settled: count, refused, overrun: 0, reserved: 0, held: 0 })
        }
      }
    })

    it('A12: of 3 parallel tool calls with 2 left 2 run, in order; hint, counter and gate show the same number', async () => {
      const { model, ran, run, scope } = await stage({ script: loopsForEver(3), limits: { toolCalls: 2 } })
      await run()
      expect(ran).toEqual([{ path: 'file-1' }, { path: 'file-2' }])
      expect(resultsIn(model)[0]).toBe('text of {"path":"file-1"}')
      expect(resultsIn(model)[1]?.startsWith('text of {"path":"file-2"}')).toBe(true)
      expect(resultsIn(model).at(-1)?.includes('[budget: 0 of 2 tool calls left')).toBe(true)
      expect((await scope.usage()).toolCalls).toMatchObject({ settled: 2, remaining: 0 })
    })

    itNeeds(
      'run-tools',
      'A12: a call that is refused is answered with the reason, and the model reads it',
      async () => {
        const { model, run } = await stage({ script: loopsForEver(3), limits: { toolCalls: 2 } })
        await run()
        const [, second, third = ''] = resultsIn(model)
        expect(second).toBe('text of {"path":"file-2"}')
        expect(third.startsWith('Refused, not run: the limit of 2 tool calls of "run" does not allow it')).toBe(true)
        expect(third.includes('0 left, 1 asked')).toBe(true)
        expect(third.includes('[budget: 0 of 2 tool calls left')).toBe(true)
      },
    )

    itNeeds('run-tools', 'tools that end the work are not counted, and end it', async () => {
      const submit = { name: 'submit', endsWork: true, execute: () => 'thanks' }
      const { model, run, scope } = await stage({
        script: [{ text: 'Done.', toolCalls: [{ name: 'submit', arguments: {} }] }, { text: 'and more' }],
        limits: { toolCalls: 0 },
        tools: [submit],
      })
      expect(await run()).toMatchObject({ status: 'completed' })
      expect(model.book).toHaveLength(1)
      expect((await scope.usage()).toolCalls.settled).toBe(0)
    })

    itNeeds('run-tools', 'a tool with endsWork that keeps failing is counted, so the limit ends the run', async () => {
      const submit = { name: 'submit', endsWork: true, execute: () => Promise.reject(new Error('not valid')) }
      const { model, ran, run, scope } = await stage({
        script: () => calls('submit'),
        limits: { toolCalls: 2 },
        tools: [submit],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'So.' })
      expect([ran.length, model.book.length]).toEqual([5, 7])
      expect((await scope.usage()).toolCalls).toMatchObject({ settled: 2, overrun: 0 })
    })

    it('a call of a missing tool is answered with an error and counted, so the limit ends a loop of them', async () => {
      const { model, run, scope } = await stage({
        script: () => calls('reed'),
        limits: { toolCalls: 3 },
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'So.' })
      expect(model.book).toHaveLength(modelCallsUnder(3))
      expect((await scope.usage()).toolCalls).toMatchObject({ settled: 3, overrun: 0 })
    })

    it('messages: a model call is refused before it is made if the conversation is too long', async () => {
      const { model, run } = await stage({ script: loopsForEver(), limits: { messages: 5 } })
      expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'messages' } })
      // 1, 3 and 5 messages long, the last one as the closing call, which is not compared.
      expect(model.book.map(({ request }) => request.toolChoice ?? 'auto')).toEqual(['auto', 'auto', 'none'])
    })

    itNeeds(
      'guard-repeats',
      'E11: a repeated call is suppressed once with a reason, and then ends the run',
      async () => {
        const { model, ran, run } = await stage({
          script: loopsForEver(1, false),
          limits: { toolCalls: 50 },
          repeatGuard: true,
        })
        expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'repeat' } })
        expect(ran).toHaveLength(3)
        expect(model.book).toHaveLength(6)
      },
    )

    itNeeds(
      'guard-repeats',
      'E11: polling that changes is not suppressed, and a tool that polls is left alone',
      async () => {
        let time = 0
        for (const tool of [
          { name: 'read', execute: () => `at ${++time}` },
          { name: 'read', polls: true, execute: () => 'not yet' },
        ]) {
          const { ran, run } = await stage({
            script: loopsForEver(1, false),
            limits: { toolCalls: 8 },
            repeatGuard: true,
            tools: [tool],
          })
          expect(await run()).toMatchObject({ breach: { meter: 'toolCalls' } })
          expect(ran).toHaveLength(8)
        }
      },
    )
  })
}

/** A model that calls a tool forever, at a provider that refuses the first of every few requests. */
function loopsBetweenRefusals(every: number): Script {
  return function* () {
    for (let count = 0; ; count++) {
      if (count % every === 0) yield { error: { status: 503, message: 'overloaded' } }
      else yield { text: 'So.', toolCalls: [{ name: 'read', arguments: { path: String(count) } }] }
    }
  }
}

/** A model that calls one tool forever. */
function* calls(name: string): Generator<ScriptedTurn> {
  for (let count = 0; count < 50; count++) yield { text: 'So.', toolCalls: [{ name, arguments: {} }] }
}
