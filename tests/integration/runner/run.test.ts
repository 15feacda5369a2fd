import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RunProgress } from '../../../src/runner/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

const read = (path: string) => ({ text: `Reading ${path}.`, toolCalls: [{ name: 'read', arguments: { path } }] })
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe('a run', () => {
  it('uses its tools, answers, and leaves a task behind', async () => {
    const first = createScriptedLanguageModel([read('a.txt'), { text: 'It says hello.' }])
    const { runner, workingFolder } = createStage({ first }, { 'a.txt': 'hello\n' })
    const progress: RunProgress[] = []
    const result = await runner.run(
      { agent: agentFrom(), task: 'What does a.txt say?', workingFolder, id: 'job-1' },
      { onProgress: (each) => progress.push(each) },
    )
    expect(result).toMatchObject({
      id: 'job-1',
      agent: 'slow',
      path: 'slow',
      status: 'completed',
      output: 'It says hello.',
    })
    expect(result).toMatchObject({ error: null, timedOut: false, breach: null, model: 'first', resumeUrl: null })
    expect(result.usage.toolCalls).toMatchObject({ settled: 1, limit: 25 })
    expect(JSON.stringify(first.requests[1]!.prompt)).toContain('hello')
    expect(runner.tasks.get('job-1')).toMatchObject({ status: 'completed', runStatus: 'completed', agent: 'slow' })
    expect(json(result.artifacts.meta)).toMatchObject({
      id: 'job-1',
      status: 'completed',
      attempts: [{ model: 'first' }],
    })
    expect(readFileSync(result.artifacts.output!, 'utf8')).toBe('It says hello.\n')
    expect(readFileSync(result.artifacts.input, 'utf8')).toContain('What does a.txt say?')
    const lines = readFileSync(result.artifacts.transcript, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type, message }) => message?.role ?? type)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'note',
    ])
    const kinds = new Set(progress.map(({ kind }) => kind))
    for (const kind of ['started', 'model-call', 'tool-call', 'tool-result', 'text', 'meters'])
      expect(kinds).toContain(kind)
  })

  it('H11: sends only plain tool schemas, including the budget tool', async () => {
    const first = createScriptedLanguageModel([{ text: 'Done.' }])
    const { runner, workingFolder } = createStage({ first })
    await runner.run({ agent: agentFrom(), task: 'go', workingFolder })
    const tools = first.requests[0]!.tools ?? []
    expect(tools.map(({ name }) => name).sort()).toEqual(['bash', 'budget', 'edit', 'glob', 'grep', 'read', 'write'])
    const notPlain = /"(allOf|anyOf|oneOf|not|if|then|else|const|\$ref|\$defs|definitions)":/
    for (const tool of tools) expect(JSON.stringify(tool), tool.name).not.toMatch(notPlain)
    for (const tool of tools) expect(tool, tool.name).toMatchObject({ inputSchema: { type: 'object' } })
  })
})
