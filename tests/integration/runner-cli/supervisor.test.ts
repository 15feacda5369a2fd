import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { writeFileInFolder } from '../../house/temporary-folder.ts'
import { createRunnerMachine } from './machine.ts'

const REVIEWER =
  '---\nname: docs-reviewer\ndescription: Reviews a part.\ntools: [read, bash]\nmodel: scripted/reviewer.json\n---\nReview.\n'
const PARTS = ['the tutorial', 'the how-to pages', 'the reference']
const LIMITS = ['--limit', 'cost=2', '--limit', 'depth=1']
const SUPERVISOR = ['run', 'supervisor', 'split the docs review among three agents', ...LIMITS]

function createDocsMachine(reviews: readonly object[]) {
  const machine = createRunnerMachine()
  writeFileInFolder(machine.folder, '.stint/agents/docs-reviewer.md', REVIEWER)
  machine.script('reviewer', { turns: [...reviews, { text: 'It reads well.' }] })
  const tasks = PARTS.map((part) => ({ agent: 'docs-reviewer', task: `Review ${part}` }))
  machine.script('lead', {
    turns: [
      { toolCalls: [{ name: 'subagent', arguments: { tasks }, id: 'split' }] },
      { toolCalls: [{ name: 'submit', arguments: { answer: 'All parts read well.' } }] },
    ],
  })
  return machine
}

describe('stint run supervisor', () => {
  it('splits a task among three agents, shows what they do, and lists its children in every view', async () => {
    const machine = createDocsMachine([{ toolCalls: [{ name: 'read', arguments: { path: 'notes.txt' } }] }])
    const end = await machine.run(...SUPERVISOR, '--model', 'scripted/lead.json', '--id', 'lead-1')
    expect(end).toMatchObject({ exitCode: 0, stdout: 'All parts read well.\n' })
    for (const number of [1, 2, 3]) {
      expect(end.stderr).toContain(`    docs-reviewer-${number} read notes.txt\n`)
      expect(end.stderr).toContain(`    docs-reviewer-${number} completed\n`)
    }
    expect(end.stderr).toContain('  3 subagents: 3 completed\n')
    const children = PARTS.map((part, index) => ({
      id: `lead-1.split.1.${index + 1}`,
      task: `Review ${part}`,
      status: 'completed',
      output: 'It reads well.',
    }))
    expect(machine.meta('lead-1')).toMatchObject({ children })
    expect((await machine.run('show', 'lead-1')).stdout).toMatch(
      /Agents: 3 completed\n.*\nlead-1\.split\.1\.1 +docs-reviewer +completed/,
    )
    // Only the supervisor is a task of its own.
    const { document } = await machine.json<{ tasks: readonly { id: string }[] }>('tasks')
    expect(document.tasks.map(({ id }) => id)).toEqual(['lead-1'])
    const { document: status } = await machine.json<{ scopes: readonly { path: string }[] }>('status', '--all')
    expect(status.scopes.map(({ path }) => path)).toEqual([
      'supervisor',
      'supervisor/parallel',
      ...[1, 2, 3].map((number) => `supervisor/parallel/docs-reviewer-${number}`),
    ])
  })

  it('B11: its depth limit also applies in the processes of its children', async () => {
    const program = `"${process.execPath}" "$NESTED_PROGRAM"`
    const command = `${program} run plain deeper --model scripted/reviewer.json >> deeper.txt 2>&1`
    const machine = createDocsMachine([{ toolCalls: [{ name: 'bash', arguments: { command } }] }])
    const started = machine.start([...SUPERVISOR, '--model', 'scripted/lead.json', '--id', 'lead-2', '--json'], {
      env: { NESTED_PROGRAM: BUILT_PROGRAM },
    })
    const { stdout } = await started.ended
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', usage: { spawns: { settled: 3 } } })
    const said = readFileSync(join(machine.projectFolder, 'deeper.txt'), 'utf8')
    expect(said).toMatch(/not opened below "supervisor\/parallel\/docs-reviewer-\d"\. The depth limit of "supervisor"/)
  })

  it('without a key says which one is missing, and starts nothing', async () => {
    const machine = createRunnerMachine()
    const end = await machine.run(...SUPERVISOR)
    expect(end).toMatchObject({ exitCode: 2, stdout: '' })
    expect(end.stderr).toMatch(/needs a key, but the environment variable ANTHROPIC_API_KEY .* is not set/)
  })
})
