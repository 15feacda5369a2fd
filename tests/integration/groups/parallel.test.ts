import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createGroupStage } from './modes.fixture.ts'

const answers = (text: string) =>
  createScriptedLanguageModel(function* () {
    for (;;) yield { text, usage: { inputTokens: 100, outputTokens: 10 } }
  })

describe('a parallel group', () => {
  it('runs its tasks, joins their outputs with a header each, and is a scope above them', async () => {
    const { runner, workingFolder, governor } = createGroupStage({ a: answers('from a'), b: answers('from b') })
    const result = await runner.parallel({
      tasks: [
        { agent: 'a', task: 'one {not a name}' },
        { agent: 'b', task: 'two', count: 2 },
      ],
      workingFolder,
      id: 'g',
    })
    expect(result).toMatchObject({ id: 'g', status: 'completed', counts: '3 completed', timedOut: false, error: null })
    expect(result.output).toBe(
      '=== Parallel Task 1 (a) ===\nfrom a\n\n=== Parallel Task 2 (b) ===\nfrom b\n\n=== Parallel Task 3 (b) ===\nfrom b',
    )
    expect(result.results.map(({ id, task }) => [id, task])).toEqual([
      ['g.1.1', 'one {not a name}'],
      ['g.1.2', 'two'],
      ['g.1.3', 'two'],
    ])
    expect(result.usage.tokens.settled).toBe(330)
    expect(result.usage.spawns.settled).toBe(3)
    expect((await governor.find('g'))?.status()).toBe('completed')
    expect((await governor.find('g.1.2'))?.status()).toBe('completed')
  })
})
