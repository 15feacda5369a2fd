import { describe, expect, it } from 'vitest'
import { createRunnerMachine } from './machine.ts'

const REFUSED =
  'stint: The budget "team:core" is paused by ann (Friday), so nothing can start in it. ' +
  'To resume it: stint resume team:core\n'

describe('A budget that a person has paused', () => {
  it.each([
    ['--within', 'team:core'],
    ['--team', 'core'],
    ['--team', 'team:core'],
    ['--user', 'ann', 'user:ann'],
  ])(
    'refuses stint run and exec %s %s, says who paused it and how to resume it, and leaves no task',
    async (flag, value, key = 'team:core') => {
      const place = [flag, value]
      const refused = REFUSED.replaceAll('team:core', key)
      const machine = createRunnerMachine({ ANTHROPIC_API_KEY: 'sk-made-up' })
      await machine.run('budget', 'set', key, '--limit', 'cost=5')
      await machine.run('pause', key, '--reason', 'Friday', '--by', 'ann')
      const model = ['--model', 'anthropic/claude-sonnet-4-5']
      const run = await machine.run('run', 'plain', 'go', ...model, ...place)
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 1, stderr: refused })
      const exec = await machine.run('exec', ...place, '--', process.execPath, '-e', '')
      expect(exec).toMatchObject({ exitCode: 1, stderr: refused })
      expect((await machine.json<{ readonly tasks: readonly unknown[] }>('tasks', '--all')).document.tasks).toEqual([])
    },
  )
})
