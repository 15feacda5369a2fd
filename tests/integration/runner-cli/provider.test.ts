import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, type ProviderScript, sayOnce } from '../../../src/testing/provider/index.ts'
import { createRunnerMachine } from './machine.ts'

const KEY = 'sk-ant-made-up-0123456789'

function filesWith(folder: string, text: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => readFileSync(file).includes(text))
}

async function openProvider(script: ProviderScript) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  return provider
}

describe('stint run with a provider on the wire', () => {
  it('calls ANTHROPIC_BASE_URL with the key of the environment, which is stored nowhere', async () => {
    const provider = await openProvider(sayOnce('From the wire.'))
    const machine = createRunnerMachine({ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: KEY })
    const flags = ['--model', 'anthropic/claude-sonnet-4-5', '--id', 'task-1']
    const { exitCode, document, stderr } = await machine.json('run', 'plain', 'go', ...flags)
    expect({ exitCode, stderr: stderr.includes(KEY) }).toEqual({ exitCode: 0, stderr: false })
    expect(document).toMatchObject({ output: 'From the wire.', model: 'anthropic/claude-sonnet-4-5' })
    expect(document.usage.cost.settled).toBeGreaterThan(0)
    expect(provider.requestCount).toBe(1)
    expect(filesWith(machine.folder, KEY)).toEqual([])
  })

  it('ends with the closing answer if a lowered cap has cut its answer', async () => {
    const long = 'word '.repeat(2_000)
    const provider = await openProvider(({ mayCallTools }) => ({ text: mayCallTools ? long : 'In short: done.' }))
    const machine = createRunnerMachine({ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: KEY })
    const flags = ['--model', 'anthropic/claude-sonnet-4-5', '--limit', 'outputTokens=1500']
    const { exitCode, document } = await machine.json('run', 'plain', 'go', ...flags)
    expect(exitCode).toBe(124)
    expect(document).toMatchObject({ status: 'limit-reached', output: null, partialOutput: 'In short: done.' })
    expect(document.breach).toMatchObject({ meter: 'outputTokens', limit: 1_500 })
    expect(document.usage.modelCalls.settled).toBe(2)
    expect(document.usage.cost.settled).toBe(provider.book().costNanoUsd)
  })

  it('calls --base-url, also when resumed if it is given again, and never by a file of the task', async () => {
    const read = { name: 'read', arguments: { path: 'notes.txt' } }
    const provider = await openProvider([{ toolCalls: [read] }, { toolCalls: [read] }, { text: 'Done.' }])
    const machine = createRunnerMachine({ ANTHROPIC_API_KEY: KEY })
    const flags = ['--model', 'anthropic/claude-sonnet-4-5', '--base-url', provider.url]
    const paused = await machine.json('run', 'plain', 'go', ...flags, '--limit', 'turns=1:pause')
    expect(paused).toMatchObject({ exitCode: 75, document: { status: 'paused' } })
    const { id } = paused.document
    const elsewhere = JSON.stringify({ baseUrl: 'http://127.0.0.1:9/elsewhere' })
    writeFileSync(join(machine.tasksFolder, id, 'call.json'), elsewhere)
    const unsaid = await machine.run('resume', id, '--add', 'turns=5')
    expect(unsaid).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`stint resume ${id} --base-url http://127.0.0.1:9/elsewhere`),
    })
    expect(provider.requestCount).toBe(2)
    const done = await machine.json('resume', id, '--add', 'turns=5', '--base-url', provider.url)
    expect(done).toMatchObject({ exitCode: 0, document: { output: 'Done.' } })
    expect(provider.requestCount).toBe(3)
  })
})
