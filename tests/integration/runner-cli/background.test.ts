import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunnerMachine, type RunnerMachine } from './machine.ts'

const READ = { name: 'read', arguments: { path: 'notes.txt' } }
const LOOP = { turns: [{ toolCalls: [READ] }], repeat: true, closing: 'What I have so far.' }
// Long enough that nobody waits for its end, which is killed with its task.
const WAIT = { name: 'bash', arguments: { command: 'echo begun >> begun.txt; sleep 600' } }

interface Shown {
  readonly scope: { readonly status: string }
  readonly task: { readonly output: string | null; readonly artifacts: Readonly<Record<string, string>> }
}

/** Waits for the end of a task, and shows it. */
async function untilEnded(machine: RunnerMachine, id: string): Promise<Shown> {
  await machine.eventually(
    async () => machine.meta(id),
    (meta) => meta !== null,
  )
  return (await machine.json<Shown>('show', id)).document
}

describe('stint run --background', () => {
  it('prints the id immediately, survives the process that started it, and leaves its answer', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ delayMs: 500, toolCalls: [READ] }, { text: 'All is well.' }])
    const started = await machine.run('run', 'plain', 'look', '--model', 'scripted/work.json', '--background')
    expect(started).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\S+\n$/) })
    const id = started.stdout.trim()
    expect(started.stderr).toContain(`stint watch ${id}`)
    const { scope, task } = await untilEnded(machine, id)
    expect(scope.status).toBe('completed')
    expect(task).toMatchObject({ output: 'All is well.', status: 'completed' })
    const log = readFileSync(join(machine.tasksFolder, id, 'run.log'), 'utf8')
    expect(log).toContain('  read ')
    expect(log).toContain('All is well.')
    expect(readFileSync(task.artifacts.output!, 'utf8')).toContain('All is well.')
  })

  it('H4: after a limit has usage, duration, attempts and the breach on disk', async () => {
    const machine = createRunnerMachine()
    machine.script('loop', LOOP)
    const flags = ['--model', 'scripted/loop.json', '--limit', 'turns=2', '--background']
    const { exitCode, document } = await machine.json<{ id: string; pid: number; log: string }>(
      ...['run', 'plain', 'look', ...flags],
    )
    expect(exitCode).toBe(0)
    expect(document).toMatchObject({ agent: 'plain', status: 'running', isBackground: true, pid: expect.any(Number) })
    expect(existsSync(document.log)).toBe(true)
    const { task } = await untilEnded(machine, document.id)
    expect(task).toMatchObject({ status: 'limit-reached', partialOutput: 'What I have so far.' })
    const meta = machine.meta(document.id)!
    expect(meta).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'toolCalls', limit: 2 },
      attempts: [{ model: 'scripted/loop.json', status: 'answered' }],
      usage: { toolCalls: { settled: 2 } },
    })
    expect(meta.durationMs).toBeGreaterThan(0)
  })

  it('reports why it could not start', async () => {
    const machine = createRunnerMachine()
    const flags = ['--model', 'anthropic/claude-sonnet-4-5', '--background']
    const { exitCode, stdout, stderr } = await machine.run('run', 'plain', 'look', ...flags)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('ANTHROPIC_API_KEY')
  })
})

describe('stint interrupt', () => {
  it('ends a task of another process, and prints its output so far', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ text: 'Half of it.', toolCalls: [WAIT] }, { text: 'never' }])
    const run = machine.start(['run', 'plain', 'look', '--model', 'scripted/work.json', '--id', 'task-1', '--json'])
    await run.until(/ {2}bash /)
    await machine.eventually(
      async () => existsSync(join(machine.projectFolder, 'begun.txt')),
      (isBegun) => isBegun,
    )
    const interrupted = await machine.json<object>('interrupt', 'task-1')
    expect(interrupted).toMatchObject({
      exitCode: 0,
      document: { status: 'stopped', hasHandedOver: true, partialOutput: expect.stringContaining('Half of it.') },
    })
    const { exitCode, stdout } = await run.ended
    expect(exitCode).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'stopped', exitCode: 130 })
    expect(await machine.run('resume', 'task-1')).toMatchObject({ exitCode: 1 })
  })

  it('INT ends it gracefully, and prints its output so far', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ text: 'Half of it.', toolCalls: [WAIT] }, { text: 'never' }])
    const run = machine.start(['run', 'plain', 'look', '--model', 'scripted/work.json', '--id', 'task-1'])
    await run.until(/ {2}bash /)
    run.child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await run.ended
    expect(exitCode).toBe(130)
    expect(stdout).toContain('Half of it.')
    expect(stderr).toContain('Stopping, and printing what it has so far.')
    expect(machine.meta('task-1')).toMatchObject({ status: 'stopped' })
  })
})

describe('stint watch', () => {
  it('follows a task of another process to its end', async () => {
    const machine = createRunnerMachine()
    const gate = { name: 'bash', arguments: { command: 'until [ -e go ]; do sleep 0.05; done' } }
    machine.script('work', [{ toolCalls: [gate] }, { text: 'Done.' }])
    const flags = ['--model', 'scripted/work.json', '--background', '--id', 'task-1']
    await machine.run('run', 'plain', 'look', ...flags)
    const watching = machine.start(['watch', 'task-1', '--interval', '100ms'])
    await watching.until(/^plain running · toolCalls [01] of 25/)
    machine.write('go', '')
    const { exitCode, stdout } = await watching.ended
    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^plain completed · toolCalls 1 of 25/)
  })
})
