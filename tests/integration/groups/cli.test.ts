import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GroupResult } from '../../../src/runner/index.ts'
import { createRunnerMachine, type RunnerMachine } from '../runner-cli/machine.ts'

type GroupDocument = GroupResult & { readonly exitCode: number }

const CHAIN = [
  'name: review',
  'description: Looks, and sums up.',
  'steps:',
  '  - { agent: plain, task: "List {task}", as: list }',
  '  - parallel:',
  '      - { agent: plain, task: "one of {previous}" }',
  '      - { agent: plain, task: two, label: the second }',
  '  - { agent: plain, task: "Sum up {outputs.list}" }',
  '',
].join('\n')

function createMachine(): RunnerMachine {
  const machine = createRunnerMachine()
  machine.script('word', [{ toolCalls: [{ name: 'read', arguments: { path: 'notes.txt' } }] }, { text: 'a word' }])
  machine.script('slow', [{ text: 'late', delayMs: 60_000 }])
  machine.write('review.chain.yaml', CHAIN)
  return machine
}

describe('stint parallel', () => {
  it('runs agents in parallel; their joined answers are on standard output, and progress fits next to it', async () => {
    const machine = createMachine()
    const end = await machine.run(
      'parallel',
      'plain: one',
      'plain: two',
      '--model',
      'scripted/word.json',
      '--limit',
      'tokens=90k',
    )
    expect(end.exitCode).toBe(0)
    expect(end.stdout).toBe('=== Parallel Task 1 (plain) ===\na word\n\n=== Parallel Task 2 (plain) ===\na word\n')
    expect(end.stderr).toMatch(/stint: parallel runs · /)
    expect(end.stderr).toMatch(/ {2}1 plain completed · one/)
    expect(end.stderr).toMatch(/parallel completed · 2 completed · .*tokens [\d,.k]+ of 90k/)
  })

  it('prints the result of a group with --json, and its exit code is that of its status', async () => {
    const machine = createMachine()
    const { document, exitCode } = await machine.json<GroupDocument>(
      'parallel',
      'plain: one',
      'plain: two',
      '--count',
      '2',
      '--id',
      'g1',
      '--model',
      'scripted/word.json',
    )
    expect(exitCode).toBe(0)
    expect(Object.keys(document)).toEqual(
      expect.arrayContaining(['id', 'status', 'counts', 'results', 'usage', 'timedOut']),
    )
    expect(document).toMatchObject({
      id: 'g1',
      status: 'completed',
      counts: '4 completed',
      timedOut: false,
      exitCode: 0,
    })
    for (const result of document.results) {
      const fields = ['id', 'agent', 'task', 'status', 'output', 'partialOutput', 'breach', 'usage']
      expect(Object.keys(result)).toEqual(expect.arrayContaining(fields))
    }
    const late = await machine.json<GroupDocument>(
      'parallel',
      'plain: one',
      '--model',
      'scripted/slow.json',
      '--timeout',
      '1s',
    )
    expect(late.exitCode).toBe(124)
    expect(late.document).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 1000ms.' })
  })

  it('refuses what it cannot run before anything starts', async () => {
    const machine = createMachine()
    const refused = async (...args: readonly string[]) => (await machine.run('parallel', ...args)).stderr
    expect(await refused('no colon here')).toContain('AGENT: TASK, e.g.')
    expect(await refused('nobody: x')).toContain('There is no agent "nobody"')
    expect(await refused('plain: x', '--concurrency', '0')).toContain('--concurrency is "0"')
    expect(await refused('plain: x', '--share', 'half')).toContain('share')
    expect(await refused('plain: x', '--limit', 'tokns=5')).toContain('tokens')
    // The folder is no git repository: as with every other mistake, nothing was started.
    const { stderr, exitCode } = await machine.run(
      'parallel',
      'plain: x',
      '--worktree',
      '--model',
      'scripted/word.json',
    )
    expect([stderr.trim(), exitCode]).toEqual([expect.stringContaining('is not in a git repository'), 2])
    expect(existsSync(machine.tasksFolder)).toBe(false)
  })

  it('continues in the background, keeps its deadline there too, and can be followed and ended by its id', async () => {
    const machine = createMachine()
    const args = ['plain: one', 'plain: two', '--model', 'scripted/slow.json', '--background']
    const begun = await machine.run('parallel', ...args, '--id', 'late', '--timeout', '2s')
    expect(begun.stdout).toBe('late\n')
    const meta = () => machine.meta('late') as unknown as GroupResult | null
    await machine.eventually(
      async () => meta(),
      (result) => result?.status === 'timed-out',
    )
    expect(meta()).toMatchObject({ counts: '2 timed-out', timedOut: true })
    await machine.run('parallel', ...args, '--id', 'long')
    const shown = await machine.json<{ readonly scopes: readonly { readonly status: string }[] }>('status')
    expect(JSON.stringify(shown.document)).toContain('long.1.2')
    const stopped = await machine.json<{ readonly status: string }>('interrupt', 'long')
    expect(stopped.document).toMatchObject({ status: 'stopped', hasHandedOver: true })
    expect(machine.meta('long')).toMatchObject({ status: 'stopped', counts: '2 stopped' })
    const tasks = await machine.json<{ readonly tasks: readonly { readonly id: string }[] }>('tasks')
    expect(tasks.document.tasks.map(({ id }) => id).sort()).toEqual(['late', 'long'])
    const show = await machine.run('show', 'long')
    expect(show.stdout).toMatch(/Agents: 2 stopped\n.*\n *long\.1\.1 +plain +stopped/)
  })
})

describe('stint chain', () => {
  it('runs a file or a name, and prints its last answer on standard output', async () => {
    const machine = createMachine()
    const end = await machine.run('chain', 'review.chain.yaml', 'the diff', '--model', 'scripted/word.json')
    expect(end).toMatchObject({ exitCode: 0, stdout: 'a word\n' })
    expect(end.stderr).toMatch(/stint: step 2 of 3/)
    machine.write('.stint/chains/review.chain.yaml', CHAIN)
    const { document } = await machine.json<GroupDocument>(
      'chain',
      'review',
      'the diff',
      '--model',
      'scripted/word.json',
    )
    expect(document).toMatchObject({ name: 'review', mode: 'chain', counts: '4 completed' })
    expect(document.results.map(({ task, label }) => label ?? task)).toEqual([
      'List the diff',
      'one of a word',
      'the second',
      'Sum up a word',
    ])
    const unknown = await machine.run('chain', 'reveiw', 'x')
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean "review"?') })
  })

  it('lists, shows and validates chains, with the agents that they name', async () => {
    const machine = createMachine()
    machine.write('.stint/chains/review.chain.yaml', CHAIN)
    machine.write(
      '.stint/chains/bad.chain.yaml',
      'steps:\n  - agent: nobody\n  - { agent: plain, task: "{outputs.x}" }\n',
    )
    machine.write('.stint/chains/other.chain.yaml', 'steps:\n  - agent: nobody\n')
    expect((await machine.run('chains', 'list')).stdout).toMatch(/review +project +3 +Looks, and sums up\./)
    expect((await machine.run('chains', 'get', 'review')).stdout).toContain('2. at once: plain, plain')
    const checked = await machine.run('chains', 'validate')
    expect(checked.exitCode).toBe(1)
    expect(checked.stdout).toMatch(/bad\.chain\.yaml:3: .*no step before has an output/)
    expect(checked.stdout).toContain('There is no agent "nobody"')
    expect(await machine.run('chains', 'validate', 'review')).toMatchObject({ exitCode: 0 })
  })

  it('B14: resumes after kill -9 by its id, runs no finished agent again, and its agents cannot be resumed alone', async () => {
    const machine = createMachine()
    machine.script('count', {
      turns: [
        { toolCalls: [{ name: 'bash', arguments: { command: 'echo x >> ran.log; sleep 1' } }] },
        { text: 'done' },
      ],
    })
    const started = machine.start(['chain', 'review.chain.yaml', 'it', '--model', 'scripted/count.json', '--id', 'c1'])
    await started.until(/step 2 of 3/)
    started.child.kill('SIGKILL')
    await started.ended
    const part = await machine.run('resume', 'c1.2.2')
    expect(part.stderr).toContain('To resume both: stint resume c1')
    const { document } = await machine.json<GroupDocument>('resume', 'c1')
    expect(document).toMatchObject({ status: 'completed', counts: '4 completed' })
    const ran = readFileSync(join(machine.projectFolder, 'ran.log'), 'utf8').trim().split('\n').length
    expect(ran).toBeLessThanOrEqual(5)
    expect(await machine.run('resume', 'c1')).toMatchObject({ exitCode: 1 })
  })
})
