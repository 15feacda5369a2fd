import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createGroupStage } from './modes.fixture.ts'

const USAGE = { inputTokens: 100, outputTokens: 10 }

const writer = (content: string) =>
  createScriptedLanguageModel(function* () {
    yield { toolCalls: [{ name: 'write', arguments: { path: 'notes.txt', content } }], usage: USAGE }
    yield { text: `wrote ${content}`, usage: USAGE }
  })

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  })
}

function commit(folder: string): void {
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'first')
}

const TASKS = [
  { agent: 'a', task: 'write' },
  { agent: 'b', task: 'write' },
]

it('two agents that write the same file each leave a patch, and nothing is merged', async () => {
  const stage = createGroupStage({ a: writer('by a'), b: writer('by b') }, { 'notes.txt': 'before' })
  const { runner, workingFolder, taskFolder } = stage
  commit(workingFolder)
  const { status, results } = await runner.parallel({ tasks: TASKS, worktree: true, workingFolder, id: 'g' })
  expect(status).toBe('completed')
  expect(readFileSync(join(workingFolder, 'notes.txt'), 'utf8')).toBe('before')
  expect(readdirSync(`${taskFolder}-worktrees`)).toEqual([])
  expect(git(workingFolder, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
  for (const [index, name] of ['a', 'b'].entries()) {
    const changes = results[index]!.changes!
    expect(readFileSync(changes.summary, 'utf8')).toContain('1 file changed')
    git(workingFolder, 'apply', changes.patch)
    expect(readFileSync(join(workingFolder, 'notes.txt'), 'utf8')).toBe(`by ${name}`)
    git(workingFolder, 'checkout', '--quiet', '.')
  }
})

it('the worktree of an agent that reached its limit is kept, and its patch is stored', async () => {
  const options = { limits: { limits: { toolCalls: 1 } } }
  const looping = createScriptedLanguageModel(function* () {
    for (;;) yield { toolCalls: [{ name: 'write', arguments: { path: 'notes.txt', content: 'half' } }], usage: USAGE }
  })
  const { runner, workingFolder, taskFolder } = createGroupStage({ a: looping }, { 'notes.txt': 'before' }, options)
  commit(workingFolder)
  const { results } = await runner.parallel({ tasks: TASKS.slice(0, 1), worktree: true, workingFolder, id: 'g' })
  expect(results[0]).toMatchObject({ status: 'limit-reached', changes: { patch: expect.any(String) } })
  expect(readFileSync(join(`${taskFolder}-worktrees`, 'g.1.1', 'notes.txt'), 'utf8')).toBe('half')
})

it('a folder with uncommitted changes is refused before any agent starts', async () => {
  const { runner, workingFolder, taskFolder } = createGroupStage({ a: writer('by a'), b: writer('by b') }, { x: '1' })
  commit(workingFolder)
  writeFileSync(join(workingFolder, 'new.txt'), 'not committed')
  await expect(runner.parallel({ tasks: TASKS, worktree: true, workingFolder, id: 'g' })).rejects.toThrow(
    /uncommitted changes \(new\.txt\)/,
  )
  expect(existsSync(`${taskFolder}-worktrees`)).toBe(false)
})
