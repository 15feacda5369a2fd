import { join } from 'node:path'
import { jsonSchema, ToolLoopAgent, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { governed, resumeGoverned, runGoverned } from '../../src/adapters/ai-sdk/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../src/testing/ai-sdk/index.ts'
import { createTemporaryFolder, removeFolder } from '../house/temporary-folder.ts'
import { startWorker } from './start-worker.ts'

const WORKER = new URL('./agent-worker.ts', import.meta.url)
const inputSchema = jsonSchema<{ path?: string }>({ type: 'object', properties: { path: { type: 'string' } } })
const tools = { read: tool({ inputSchema, execute: async ({ path }) => `[budget: 9 left] text of ${path}` }) }
const read = (path: string) => ({ text: `Reading ${path}.`, toolCalls: [{ name: 'read', arguments: { path } }] })

describe('a run on a ledger in a file', () => {
  it('E1, E2: another process continues with the same conversation, exactly once', async () => {
    const folder = createTemporaryFolder()
    const file = join(folder, 'ledger.db')
    const stores = [createSqliteStore({ file }), createSqliteStore({ file })] as const
    const living = new Set(['one', 'two'])
    const governorOf = (holder: string, store: (typeof stores)[number]) =>
      createGovernor({ store, holder, isHolderAlive: (each) => living.has(each) })
    const [one, two] = [governorOf('one', stores[0]), governorOf('two', stores[1])]
    const scope = await one.open({ name: 'run', limits: { toolCalls: 2 }, onLimit: 'pause' })
    const model = createScriptedLanguageModel(function* () {
      for (const path of ['a', 'b', 'c', 'c', 'd']) yield read(path)
      yield { text: 'All read.' }
    })
    const picture = { type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }
    const image = { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }, picture] }
    const agentFor = (own: typeof scope) => new ToolLoopAgent(governed(own, { model, tools, instructions: 'Read.' }))
    const paused = await runGoverned(scope, agentFor(scope), { messages: [image] })
    expect([paused.status, model.requests.length]).toEqual(['paused', 3])
    living.delete('one')
    const found = (await two.find(scope.id))!
    await found.setLimits({ toolCalls: 10 })
    const again = agentFor(found)
    const result = await resumeGoverned(found, again)
    expect(result).toMatchObject({ status: 'completed', output: 'All read.' })
    expect(result.usage.toolCalls.settled).toBe(4)
    const before = model.requests[2]!.prompt
    for (const { prompt } of model.requests.slice(3)) {
      expect(JSON.stringify(prompt.slice(0, before.length))).toBe(JSON.stringify(before))
    }
    await expect(resumeGoverned(found, again)).rejects.toThrow()
    await expect(paused.resume!()).rejects.toThrow()
    await two.close()
    await one.close()
    for (const store of stores) await store.dispose()
    removeFolder(folder)
  })

  it.each(['pause', 'ask'] as const)(
    'E1: killed with -9 (%s), it continues in another process, and no tool runs twice',
    async (order) => {
      const file = join(createTemporaryFolder(), 'ledger.db')
      const first = startWorker(WORKER, file, order)
      expect(await first.next()).toEqual({ kind: order === 'pause' ? 'paused' : 'asking', ran: ['a', 'b'] })
      await first.kill()
      const second = startWorker(WORKER, file, 'resume')
      expect(await second.next()).toEqual({ kind: 'completed', output: 'All read.', ran: ['c'], toolCalls: 3 })
    },
  )
})
