import { createScriptedModel } from '../../scripted/scripted-model.ts'
import type { ScriptedMessage } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { loopsForEver, readTool } from './contract-stage.ts'

/** How a run pauses and continues. */
export function describePausing({ describe, it, itNeeds, expect, stage }: AdapterContract): void {
  describe('pausing', () => {
    itNeeds(
      'save-conversation',
      'E1: the tools in flight finish, the state is saved, and a resume continues with counters intact, once',
      async () => {
        const { events, model, ran, resume, run, scope } = await stage({
          script: loopsForEver(2),
          limits: { toolCalls: 3 },
          onLimit: 'pause',
        })
        expect(await run()).toMatchObject({ status: 'paused', output: null, breach: { meter: 'toolCalls' } })
        expect([scope.status(), ran.length, model.book.length]).toEqual(['paused', 3, 2])
        const paused = (await events()).find(({ event }) => event === 'agent_paused')
        expect(paused).toMatchObject({ resume_url: `/tasks/${scope.id}/resume` })
        await scope.setLimits({ toolCalls: 6 })
        expect(await resume()).toMatchObject({ status: 'paused' })
        expect(ran).toHaveLength(6)
        expect((await scope.usage()).toolCalls).toMatchObject({ settled: 6, limit: 6 })
      },
    )

    itNeeds('save-conversation', 'E1: a second resume is refused', async () => {
      const { resume, run, scope } = await stage({ script: twoSteps, limits: { toolCalls: 1 }, onLimit: 'pause' })
      await run()
      await scope.setLimits({ toolCalls: 5 })
      const both = await Promise.allSettled([resume(), resume()])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(scope.status()).toBe('completed')
      await expect(resume()).rejects.toThrow(/ended|not paused/)
    })

    itNeeds('save-conversation', 'E2: a resumed conversation begins with the earlier one, byte for byte', async () => {
      const { model, resume, run, scope } = await stage({
        script: loopsForEver(2),
        limits: { toolCalls: 5 },
        onLimit: 'pause',
      })
      await run()
      const before = model.book.at(-1)!.request
      await scope.setLimits({ toolCalls: 20 })
      await resume()
      const after = model.book.slice(3).map(({ request }) => request)
      expect(after.length > 3).toBe(true)
      for (const request of after) {
        expect(beginning(request.messages, before.messages.length)).toBe(JSON.stringify(before.messages))
        expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before.tools))
      }
    })

    itNeeds('save-conversation', 'a model call that a limit pauses is made when the run resumes', async () => {
      const { model, resume, run, scope } = await stage({
        script: loopsForEver(),
        limits: { modelCalls: 2 },
        onLimit: 'pause',
      })
      expect(await run()).toMatchObject({ status: 'paused', breach: { meter: 'modelCalls' } })
      expect(model.book).toHaveLength(2)
      await scope.setLimits({ modelCalls: 4 })
      expect(await resume()).toMatchObject({ status: 'paused' })
      expect(model.book).toHaveLength(4)
    })

    itNeeds('save-conversation', 'a person pauses it: the running tool finishes, and nothing more starts', async () => {
      const { model, ran, resume, run, scope } = await stage({
        script: twoSteps,
        tools: [
          readTool({
            async execute() {
              if (scope.status() === 'running' && ran.length === 1) await scope.pause({ by: 'ann' })
              return 'text'
            },
          }),
        ],
      })
      expect(await run()).toMatchObject({ status: 'paused', breach: null })
      expect([ran.length, model.book.length]).toEqual([1, 1])
      expect(await resume()).toMatchObject({ status: 'completed', output: 'All read.' })
      expect(ran).toHaveLength(2)
    })

    it('two agents on one scope: each has its own result, and the scope ends with the last of them', async () => {
      const { agent, model, run, runOther, scope } = await stage({ script: twoSteps, limits: { toolCalls: 9 } })
      const short = createScriptedModel([{ text: 'Nothing to read.' }])
      const [long, other] = await Promise.all([run(), runOther({ ...agent, model: short })])
      expect(long).toMatchObject({ status: 'completed', output: 'All read.' })
      expect(other).toMatchObject({ status: 'completed', output: 'Nothing to read.' })
      expect([model.book.length, short.book.length, scope.status()]).toEqual([3, 1, 'completed'])
    })

    it('ask: it waits for the answer, and continues with what was granted', async () => {
      const { governor, ran, run } = await stage({ script: loopsForEver(), limits: { toolCalls: 2 }, onLimit: 'ask' })
      let asked = 0
      governor.on('increase_requested', ({ request }) => {
        if (++asked === 1) void governor.approve(request, { amount: 3, by: 'ann' })
        else void governor.deny(request, { by: 'ann' })
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'Found so far: x.' })
      expect(ran).toHaveLength(5)
    })
  })
}

function* twoSteps() {
  yield { text: 'One.', toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }
  yield { text: 'Two.', toolCalls: [{ name: 'read', arguments: { path: 'b' } }] }
  yield { text: 'All read.' }
  yield { text: 'All read.' }
}

function beginning(messages: readonly ScriptedMessage[], length: number): string {
  return JSON.stringify(messages.slice(0, length))
}
