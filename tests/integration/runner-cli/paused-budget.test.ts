import { describe, expect, it } from 'vitest'
import { createRunnerMachine } from './machine.ts'

const REFUSED =
  'stint: The budget "team:core" is paused by ann (Friday), so that nothing is begun in it. ' +
  'To let it go on: stint resume team:core\n'

describe('A budget that a person has paused', () => {
  it('refuses stint run and stint exec, says who paused it and how it goes on, and leaves no task', async () => {
    const machine = createRunnerMachine({ ANTHROPIC_API_KEY: 'sk-made-up' })
    await machine.run('budget', 'set', 'team:core', '--limit', 'cost=5')
    await machine.run('pause', 'team:core', '--reason', 'Friday', '--by', 'ann')
    const model = ['--model', 'anthropic/claude-sonnet-4-5']
    const run = await machine.run('run', 'plain', 'go', ...model, '--within', 'team:core')
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 1, stderr: REFUSED })
    const exec = await machine.run('exec', '--within', 'team:core', '--', process.execPath, '-e', '')
    expect(exec).toMatchObject({ exitCode: 1, stderr: REFUSED })
    expect((await machine.json<{ readonly tasks: readonly unknown[] }>('tasks', '--all')).document.tasks).toEqual([])
  })
})
