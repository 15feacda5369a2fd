import { describe, expect, it } from 'vitest'
import { createRunnerMachine, type RunnerMachine } from './machine.ts'

const READ = { name: 'read', arguments: { path: 'notes.txt' } }
// Until the test says so.
const WAIT = { name: 'bash', arguments: { command: 'until [ -e go.txt ]; do sleep 0.05; done' } }
const SCRIPT = [{ toolCalls: [READ] }, { toolCalls: [READ] }, { text: 'All of it.' }]

interface Requests {
  readonly requests: readonly { readonly id: string }[]
}

/** A run that asks for more tool calls, and whose process is killed while it waits for the answer. */
async function killedAsking(): Promise<{ readonly machine: RunnerMachine; readonly requestId: string }> {
  const machine = createRunnerMachine()
  machine.script('work', SCRIPT)
  const flags = ['--model', 'scripted/work.json', '--limit', 'turns=1:ask', '--id', 'task-1']
  const run = machine.start(['run', 'plain', 'look', ...flags])
  const { document } = await machine.eventually(
    () => machine.json<Requests>('requests'),
    ({ document: { requests } }) => requests.length === 1,
  )
  // The request is there a moment before the pause is.
  await machine.eventually(
    () => machine.json<{ scope: { status: string } }>('show', 'task-1'),
    (shown) => shown.document.scope.status === 'paused',
  )
  run.child.kill('SIGKILL')
  await run.ended
  return { machine, requestId: document.requests[0]!.id }
}

describe('a run that asks for more', () => {
  it.each([
    [['approve', '--by', 'ann'], 0, 'stint: It was given 5 more of its turns limit (ann).\n'],
    [['deny', '--by', 'ann'], 124, 'stint: It was denied more of its turns limit (ann).\n'],
  ])('prints how to answer it, and the answer: %j', async ([verb, ...flags], exitCode, text) => {
    const machine = createRunnerMachine()
    machine.script('work', { turns: SCRIPT, closing: 'Half of it.' })
    const run = machine.start(['run', 'plain', 'look', '--model', 'scripted/work.json', '--limit', 'turns=1:ask'])
    await run.until(
      /It is waiting for an answer to its request for 5 more of its turns limit\. To answer: stint approve \S+ \(or:/,
    )
    const { document } = await machine.json<Requests>('requests')
    const { id } = document.requests[0]!
    expect(await machine.run(verb!, id, ...flags)).toMatchObject({ exitCode: 0 })
    const end = await run.ended
    expect(end.exitCode).toBe(exitCode)
    expect(end.stderr).toContain(`stint approve ${id} (or: stint deny ${id})\n`)
    expect(end.stderr).toContain(text)
  })
})

describe('a run that was killed while it waited for an answer', () => {
  it('J6: continues after approve and resume', async () => {
    const { machine, requestId } = await killedAsking()
    expect((await machine.run('resume', 'task-1')).stderr).toContain(`stint approve ${requestId}`)
    const approved = await machine.run('approve', requestId)
    expect(approved).toMatchObject({ exitCode: 0 })
    expect(approved.stderr).toContain('stint resume task-1')
    const { exitCode, stdout } = await machine.run('resume', 'task-1')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'All of it.\n' })
  })

  it('J6: has ended at its limit after deny', async () => {
    const { machine, requestId } = await killedAsking()
    const denied = await machine.run('deny', requestId)
    expect(denied).toMatchObject({ exitCode: 0 })
    expect(denied.stderr).toContain('It has ended at its limit.')
    const { document } = await machine.json<{ scope: { status: string } }>('show', 'task-1')
    expect(document.scope.status).toBe('limit-reached')
    const resumed = await machine.run('resume', 'task-1')
    expect(resumed).toMatchObject({ exitCode: 1, stdout: '' })
    expect(resumed.stderr).toContain('has ended (limit-reached)')
  })
})

describe('stint resume', () => {
  it('continues in the background if the run was started there, and here with --foreground', async () => {
    const machine = createRunnerMachine()
    machine.script('work', SCRIPT)
    for (const id of ['task-1', 'task-2']) {
      const flags = ['--model', 'scripted/work.json', '--limit', 'turns=1:pause', '--id', id, '--background']
      await machine.run('run', 'plain', 'look', ...flags)
      await machine.eventually(
        async () => machine.meta(id),
        (meta) => meta?.status === 'paused',
      )
    }
    const begun = await machine.run('resume', 'task-1', '--add', 'turns=5')
    expect(begun).toMatchObject({ exitCode: 0, stdout: 'task-1\n' })
    await machine.eventually(
      async () => machine.meta('task-1'),
      (meta) => meta?.status === 'completed',
    )
    const here = await machine.run('resume', 'task-2', '--add', 'turns=5', '--foreground')
    expect(here).toMatchObject({ exitCode: 0, stdout: 'All of it.\n' })
  })

  it('resumes the runs that the pause of their team had stopped', async () => {
    const machine = createRunnerMachine()
    machine.script('work', [{ toolCalls: [WAIT] }, { toolCalls: [READ] }, { text: 'All of it.' }])
    machine.script('short', SCRIPT)
    await machine.run('budget', 'set', 'team:core', '--limit', 'cost=100')
    const flags = ['--model', 'scripted/work.json', '--within', 'team:core', '--limit', 'turns=10']
    await machine.run('run', 'plain', 'look', ...flags, '--id', 'task-1', '--background')
    // One that its own limit has paused stays paused.
    const own = ['--limit', 'turns=1:pause', '--id', 'task-2', '--background']
    await machine.run('run', 'plain', 'look', '--model', 'scripted/short.json', '--within', 'team:core', ...own)
    await machine.eventually(
      async () => machine.meta('task-2'),
      (meta) => meta?.status === 'paused',
    )
    await machine.run('pause', 'team:core', '--reason', 'Friday')
    machine.write('go.txt', 'go\n')
    await machine.eventually(
      async () => machine.meta('task-1'),
      (meta) => meta?.status === 'paused',
    )
    const resumed = await machine.json<{ resumed: string[]; left: string[] }>('resume', 'team:core')
    expect(resumed).toMatchObject({ exitCode: 0, document: { resumed: ['task-1'], left: [] } })
    const meta = await machine.eventually(
      async () => machine.meta('task-1'),
      (found) => found?.status === 'completed',
    )
    expect(meta?.output).toBe('All of it.')
    expect(machine.meta('task-2')?.status).toBe('paused')
  })
})
