import { describe, expect, it } from 'vitest'
import type { TaskRecord } from '../../runner/index.ts'
import { createCli, NOW_MS, type TestCli } from '../cli.fixture.ts'

const HOME = 'home/.local/state/stint/tasks'

function keepTask(cli: TestCli, task: Partial<TaskRecord> & { readonly id: string }): void {
  const record: TaskRecord = {
    subject: 'look around',
    description: null,
    agent: 'explore',
    task: 'look around\nand tell',
    status: 'in_progress',
    runStatus: 'running',
    reason: null,
    error: null,
    resume_url: null,
    state: null,
    warnings: [],
    model: 'scripted/play.json',
    workingFolder: '/project',
    pid: 7,
    createdAtMs: NOW_MS - 120_000,
    startedAtMs: NOW_MS - 120_000,
    endedAtMs: null,
    ...task,
  }
  cli.write(`${HOME}/${task.id}/task.json`, JSON.stringify(record))
}

describe('stint tasks', () => {
  it('shows each task, its usage, its age and its status in the ledger', async () => {
    const cli = createCli()
    await cli.open({ id: '0198-aaaa', name: 'explore' }, { toolCalls: 5 })
    keepTask(cli, { id: '0198-aaaa' })
    keepTask(cli, {
      id: '0198-bbbb',
      agent: null,
      subject: 'later',
      task: null,
      runStatus: 'queued',
      status: 'pending',
    })
    const { stdout, exitCode } = await cli.run('tasks')
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      [
        'ID        AGENT    STATUS   TASK         USED              BEGAN',
        '0198-aaa  explore  running  look around  toolCalls 0 of 5  2m ago',
        '0198-bbb  –        queued   later                          2m ago',
        '',
      ].join('\n'),
    )
  })

  it('shows a task whose process is dead as stale, with how to continue it', async () => {
    const cli = createCli({ isHolderAlive: () => false })
    await cli.open({ id: 'task-1', name: 'explore' })
    keepTask(cli, { id: 'task-1' })
    const { stdout, stderr } = await cli.run('tasks')
    expect(stdout).toMatch(/task-1 .* stale /)
    expect(stderr).toContain('stint resume task-1')
    expect(await cli.json('tasks')).toMatchObject({ tasks: [{ id: 'task-1', status: 'running', isStale: true }] })
  })

  it('shows only the newest twenty that have ended, unless --all is given', async () => {
    const cli = createCli()
    for (let index = 0; index < 25; index++) {
      const ended = { runStatus: 'completed', status: 'completed', createdAtMs: NOW_MS - index } as const
      keepTask(cli, { id: `task-${index}`, ...ended })
    }
    const some = (await cli.json('tasks')) as unknown as { tasks: unknown[]; isTruncated: boolean }
    expect([some.tasks.length, some.isTruncated]).toEqual([20, true])
    expect((await cli.run('tasks')).stderr).toContain('5 older tasks not shown: stint tasks --all')
    const all = (await cli.json('tasks', '--all')) as unknown as { tasks: unknown[] }
    expect(all.tasks).toHaveLength(25)
  })

  it('says how to start one when there is none, and creates no ledger', async () => {
    const cli = createCli({ hasLedger: false })
    expect(await cli.run('tasks')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('stint run') })
    expect(cli.opened).toEqual([])
  })
})

describe('stint show of a task', () => {
  it('shows its agent, model, attempts, breach, output and artifacts, by the beginning of its id', async () => {
    const cli = createCli()
    await cli.open({ id: '0198-aaaa', name: 'explore' }, { toolCalls: 5 })
    await cli.store.close({ scopeId: '0198-aaaa', status: 'limit-reached', atMs: NOW_MS })
    keepTask(cli, { id: '0198-aaaa', status: 'failed', runStatus: 'limit-reached' })
    const result = {
      id: '0198-aaaa',
      status: 'limit-reached',
      model: 'scripted/play.json',
      attempts: [{ model: 'scripted/first.json', status: 'failed', error: 'busy' }],
      breach: { meter: 'toolCalls', message: 'The toolCalls limit of "explore" is used up' },
      output: null,
      partialOutput: 'half of it',
      error: 'Execution limit exceeded: turns',
      durationMs: 1200,
      usage: {},
      children: [],
    }
    cli.write(`${HOME}/0198-aaaa/meta.json`, JSON.stringify(result))
    const { stdout } = await cli.run('show', '0198')
    for (const text of [
      'scripted/first.json failed: busy',
      'Execution limit exceeded: turns',
      'is used up',
      'Partial output\nhalf of it',
      'and tell',
      'meta.json',
    ]) {
      expect(stdout).toContain(text)
    }
    // The folder once, and its files by name.
    expect(stdout.split('/tasks/0198-aaaa')).toHaveLength(2)
    expect(await cli.json('show', '0198')).toMatchObject({
      scope: { status: 'limit-reached' },
      task: {
        agent: 'explore',
        model: 'scripted/play.json',
        status: 'limit-reached',
        partialOutput: 'half of it',
        breach: { meter: 'toolCalls' },
        attempts: [{ status: 'failed' }],
        artifacts: { folder: expect.any(String), meta: expect.stringContaining('meta.json') },
      },
    })
  })

  it('needs no scope: a task that has not started, or was pruned, is shown too', async () => {
    const cli = createCli()
    keepTask(cli, { id: 'task-1', runStatus: 'queued', status: 'pending', agent: null })
    expect(await cli.json('show', 'task')).toMatchObject({
      exitCode: 0,
      scope: null,
      task: { id: 'task-1', status: 'queued', output: null },
    })
    expect((await cli.run('show', 'task-1')).stdout).toContain('and tell')
    expect(await cli.run('show', 'nobody')).toMatchObject({ exitCode: 1 })
  })

  it('has a null task for every other scope', async () => {
    const cli = createCli()
    await cli.open({ id: 'team:core', kind: 'lasting', owner: null })
    expect(await cli.json('show', 'team:core')).toMatchObject({ task: null })
  })
})

describe('stint interrupt', () => {
  it('ends a task through the ledger; the output of its dead process is in its folder', async () => {
    const cli = createCli({ isHolderAlive: () => false })
    await cli.open({ id: 'task-1', name: 'explore' })
    keepTask(cli, { id: 'task-1' })
    const { exitCode, stderr, stdout } = await cli.run('interrupt', 'task-1')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Interrupted explore.\n' })
    expect(stderr).toContain('is dead')
    expect(stderr).toContain('Artifacts: ')
    expect((await cli.store.read({ scopeId: 'task-1', atMs: NOW_MS }))?.[0]?.status).toBe('stopped')
    expect(await cli.run('interrupt', 'task-1')).toMatchObject({ exitCode: 1 })
  })

  it('waits until the process that runs it has delivered its result', async () => {
    const cli = createCli()
    await cli.open({ id: 'task-1', name: 'explore' })
    keepTask(cli, { id: 'task-1' })
    const { close } = cli.store
    cli.store.close = async (request) => {
      const outcome = await close(request)
      const meta = { id: 'task-1', status: 'stopped', partialOutput: 'half of it' }
      setTimeout(() => cli.write(`${HOME}/task-1/meta.json`, JSON.stringify(meta)), 20)
      return outcome
    }
    expect(await cli.json('interrupt', 'task-1')).toMatchObject({
      exitCode: 0,
      hasHandedOver: true,
      partialOutput: 'half of it',
    })
  })

  it('does not wait with --no-wait, and refers to stint stop for what is not a task', async () => {
    const cli = createCli()
    await cli.open({ id: 'task-1', name: 'explore' })
    keepTask(cli, { id: 'task-1' })
    expect(await cli.json('interrupt', 'task-1', '--no-wait')).toMatchObject({ exitCode: 0, hasHandedOver: false })
    await cli.open({ id: 'run-1' })
    expect(await cli.run('interrupt', 'run-1')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('stint stop run-1'),
    })
  })
})
