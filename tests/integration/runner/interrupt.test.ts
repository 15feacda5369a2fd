import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunProgress } from '../../../src/runner/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

const sleeping = { text: 'I look around.', toolCalls: [{ name: 'bash', arguments: { command: 'sleep 3600' } }] }

describe('an interrupt', () => {
  it('stops the running tool, and keeps the output so far', async () => {
    const first = createScriptedLanguageModel([sleeping, { text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const controller = new AbortController()
    const onProgress = ({ kind }: RunProgress): void => {
      if (kind === 'tool-call') controller.abort()
    }
    const result = await runner.run(
      { agent: agentFrom(), task: 'go', workingFolder },
      { signal: controller.signal, onProgress },
    )
    expect(result).toMatchObject({ status: 'stopped', partialOutput: 'I look around.', output: null, breach: null })
    expect(first.book).toHaveLength(1)
    expect(runner.tasks.get(result.id)).toMatchObject({ status: 'failed', runStatus: 'stopped' })
    expect(JSON.parse(readFileSync(result.artifacts.meta, 'utf8')).status).toBe('stopped')
  })

  it('before the first call prevents it', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder }, { signal: AbortSignal.abort() })
    expect([result.status, first.book.length]).toEqual(['stopped', 0])
  })

  it('through the ledger, from another process, does the same', async () => {
    const first = createScriptedLanguageModel([sleeping, { text: 'done' }])
    const { runner, workingFolder, store } = createStage({ first })
    const onProgress = ({ kind }: RunProgress): void => {
      if (kind === 'tool-call') store.close({ scopeId: 'job-1', status: 'stopped', atMs: Date.now() })
    }
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' }, { onProgress })
    expect(result).toMatchObject({ status: 'stopped', partialOutput: 'I look around.' })
    expect(runner.tasks.get('job-1')).toMatchObject({ status: 'failed', runStatus: 'stopped' })
  })

  it('works even if a listener throws', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const onProgress = (): void => {
      throw new Error('not listening')
    }
    expect(await runner.run({ agent: agentFrom(), task: 'go', workingFolder }, { onProgress })).toMatchObject({
      output: 'done',
    })
  })

  it("lets the tool finish if it is a person's pause, and the task continues from there", async () => {
    const touch = { toolCalls: [{ name: 'bash', arguments: { command: 'echo once >> log' } }] }
    const first = createScriptedLanguageModel([touch, { text: 'done' }])
    const { runner, workingFolder, governor } = createStage({ first })
    const onProgress = ({ kind }: RunProgress): void => {
      if (kind === 'tool-call')
        void governor.find('job-1').then((scope) => scope!.pause({ by: 'ann', reason: 'lunch' }))
    }
    const paused = await runner.run({ agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' }, { onProgress })
    expect(paused).toMatchObject({ status: 'paused', breach: null })
    expect(await runner.resume('job-1')).toMatchObject({ status: 'completed', output: 'done' })
    expect(readFileSync(join(workingFolder, 'log'), 'utf8')).toBe('once\n')
  })
})
