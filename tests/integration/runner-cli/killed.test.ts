import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunning } from '../../../src/exec/stubborn-tree.fixture.ts'
import { createRunnerMachine } from './machine.ts'

const NOTE = { name: 'bash', arguments: { command: 'echo once >> done.txt' } }

/** A run whose agent is in a command of its shell, which has told its process id. */
async function startInBash(command: string) {
  const machine = createRunnerMachine()
  machine.script('work', [
    { text: 'Half of it.', toolCalls: [{ name: 'bash', arguments: { command } }] },
    { text: 'never' },
  ])
  const run = machine.start(['run', 'plain', 'look', '--model', 'scripted/work.json', '--id', 'task-1'])
  const pidFile = join(machine.projectFolder, 'pid.txt')
  await machine.eventually(
    async () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'),
    (isBegun) => isBegun,
  )
  return { machine, run, pidFile }
}

describe('a run whose stint was killed', () => {
  it('is stale, and is resumed by exactly one of several processes; finished work is not repeated', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ toolCalls: [NOTE] }, { delayMs: 60_000, text: 'too late' }])
    const run = machine.start(['run', 'plain', 'look', '--model', 'scripted/work.json', '--id', 'task-1'])
    await run.until(/ {2}bash /)
    const transcript = join(machine.tasksFolder, 'task-1/transcript.jsonl')
    await machine.eventually(
      async () => existsSync(transcript) && readFileSync(transcript, 'utf8').includes('"tool-result"'),
      (isWritten) => isWritten,
    )
    run.child.kill('SIGKILL')
    await run.ended
    const tasks = await machine.json<object>('tasks')
    expect(tasks.document).toMatchObject({ tasks: [{ id: 'task-1', status: 'running', isStale: true }] })
    expect(tasks.stderr).toContain('stint resume task-1')
    // The provider is quick now.
    machine.script('work', [{ toolCalls: [NOTE] }, { text: 'Back again.' }])
    const ends = await Promise.all([1, 2, 3].map(() => machine.run('resume', 'task-1')))
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1])
    expect(ends.map(({ stdout }) => stdout).sort()).toEqual(['', '', 'Back again.\n'])
    expect(ends.find(({ exitCode }) => exitCode === 1)!.stderr).toMatch(/not paused|has ended/)
    expect(readFileSync(join(machine.projectFolder, 'done.txt'), 'utf8')).toBe('once\n')
    expect(await machine.run('verify')).toMatchObject({ exitCode: 0 })
    expect((await machine.run('resume', 'task-1')).stderr).toContain('has ended (completed)')
  })

  it('can be resumed in the background, too', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ toolCalls: [NOTE] }, { delayMs: 60_000, text: 'too late' }])
    const flags = ['--model', 'scripted/work.json', '--id', 'task-1', '--background']
    const { document } = await machine.json<{ pid: number }>('run', 'plain', 'look', ...flags)
    await machine.eventually(
      async () => existsSync(join(machine.projectFolder, 'done.txt')),
      (isDone) => isDone,
    )
    process.kill(document.pid, 'SIGKILL')
    machine.script('work', [{ toolCalls: [NOTE] }, { text: 'Back again.' }])
    const resumed = await machine.eventually(
      () => machine.run('resume', 'task-1', '--background'),
      ({ exitCode }) => exitCode === 0,
    )
    expect(resumed.stdout).toBe('task-1\n')
    const meta = await machine.eventually(
      async () => machine.meta('task-1'),
      (found) => found?.status === 'completed',
    )
    expect(meta?.output).toBe('Back again.')
  })

  it('ends with its terminal, however often that signals, prints what it has and leaves no process', async () => {
    const { machine, run, pidFile } = await startInBash('echo $$ > pid.txt; exec sleep 600')
    run.child.kill('SIGHUP')
    await run.until(/Stopping, and printing/)
    run.child.kill('SIGHUP')
    expect((await run.ended).exitCode).toBe(130)
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
    expect(machine.meta('task-1')).toMatchObject({ status: 'stopped', partialOutput: 'Half of it.' })
  })

  it('leaves no process of its tools when a second INT ends it immediately', async () => {
    const { machine, run, pidFile } = await startInBash('trap "" INT TERM; echo $$ > pid.txt; sleep 600')
    run.child.kill('SIGINT')
    await run.until(/Stopping, and printing/)
    run.child.kill('SIGINT')
    const { exitCode, stderr } = await run.ended
    expect(exitCode).toBe(130)
    expect(stderr).toContain('Ended immediately. Its output is in the transcript: stint show task-1')
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
    const { document } = await machine.json<{ tasks: { id: string; status: string; isStale: boolean }[] }>('tasks')
    const [task] = document.tasks
    // Immediately means that the ledger may know of the first INT, or only that the process is gone.
    expect(task).toMatchObject({ id: 'task-1' })
    expect(task!.status === 'stopped' || task!.isStale).toBe(true)
  })
})
