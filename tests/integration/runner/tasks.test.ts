import { describe, expect, it } from 'vitest'
import type { Agent, FoundAgents } from '../../../src/agents/index.ts'
import { createTasks } from '../../../src/runner/index.ts'
import { createScriptedLanguageModel, type ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { FILES, reader } from './reader.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

function stageWith(models: Readonly<Record<string, ScriptedLanguageModel>>) {
  const agents = new Map<string, Agent>([['developer', agentFrom({ name: 'developer', preset: 'developer' })]])
  const found = { agents, problems: [], refused: new Map(), hidden: [], disabled: new Map() } as unknown as FoundAgents
  const stage = createStage(models, FILES, { findAgents: () => found })
  return { ...stage, tasks: createTasks(stage.runner, { workingFolder: stage.workingFolder }) }
}

const developer = { subagent_type: 'developer', prompt: 'Read all of it.' }

describe('tasks in the published format', () => {
  it('a created task is pending, is done by an agent, and ends as completed', async () => {
    const sonnet = reader()
    const { tasks } = stageWith({ sonnet })
    const taskId = await tasks.TaskCreate({ subject: 'Read', description: 'all three' })
    expect(await tasks.TaskGet(taskId)).toMatchObject({
      taskId,
      subject: 'Read',
      description: 'all three',
      status: 'pending',
    })
    const done = await tasks.Task({ ...developer, model: 'sonnet', allowed_tools: ['Read', 'TaskUpdate'], taskId })
    expect(done).toMatchObject({ taskId, status: 'completed', output: 'All read.', subject: 'Read' })
    expect(sonnet.requests[0]?.tools?.map(({ name }) => name)).toEqual(['read', 'budget'])
    expect(await tasks.TaskGet({ taskId })).toEqual(done)
    await expect(tasks.Task({ ...developer, taskId })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('a limit that terminates is a failure that names the published field', async () => {
    const { tasks } = stageWith({ first: reader() })
    const taskId = await tasks.TaskCreate({ subject: 'Read' })
    const failed = await tasks.Task({ ...developer, execution_limits: { max_turns: 2, timeout_action: 'terminate' } })
    // It is the only one that waits, so that it is meant.
    expect(failed).toMatchObject({ taskId, status: 'failed', error: 'Execution limit exceeded: max_turns' })
    expect((await tasks.TaskGet(taskId)).state).toMatchObject({ turns: 2 })
  })

  it.each([
    { max_turns: 101 },
    { max_turns: 0 },
    { max_duration_ms: 10 },
    { timeout_action: 'explode' },
    { max_trns: 3 },
    { team_budget_usd: 100 },
  ])('refuses %o before anything runs', async (execution_limits) => {
    const first = reader()
    const { tasks, runner } = stageWith({ first })
    await expect(tasks.Task({ ...developer, execution_limits })).rejects.toThrow()
    expect([first.book.length, runner.tasks.list()]).toEqual([0, []])
  })

  it('a team budget covers all its tasks, and an amount in dollars is refused without a team', async () => {
    const { runner, workingFolder, governor, tasks: unnamed } = stageWith({ first: reader('claude-sonnet-4-5') })
    const execution_limits = { team_budget_usd: 40, user_budget_usd: 4 }
    await expect(unnamed.Task({ ...developer, execution_limits })).rejects.toThrow('team_budget_usd is "$40"')
    const tasks = createTasks(runner, { workingFolder, team: 'core', user: 'ann' })
    const done = await tasks.Task({ ...developer, execution_limits })
    expect(done).toMatchObject({ status: 'completed' })
    const [team, user] = [await governor.budget('team:core'), await governor.budget('user:ann')]
    expect(user.path).toBe('team:core/user:ann')
    expect((await team.usage()).toolCalls.settled).toBe((await user.usage()).toolCalls.settled)
    expect((await team.usage()).cost.limit).toBe(40_000_000_000)
    const less = { ...execution_limits, team_budget_usd: 1 }
    await expect(tasks.Task({ ...developer, execution_limits: less })).rejects.toThrow('"$1", but must be one that')
    expect((await team.usage()).cost.limit).toBe(40_000_000_000)
  })

  it.each(['execution_limit', 'executionLimits', 'max_turns', 'timeoutMS', 'acceptence'])(
    'G4: refuses %s, as its published schema does, and runs nothing',
    async (field) => {
      const first = reader()
      const { tasks, runner } = stageWith({ first })
      const call = { ...developer, [field]: { max_turns: 2 } }
      await expect(tasks.Task(call)).rejects.toThrow(`Task has no option "${field}"`)
      expect([first.book.length, runner.tasks.list()]).toEqual([0, []])
    },
  )

  it('accept acceptance: its outcome is in the task, and a rejected task has failed', async () => {
    const { tasks } = stageWith({ first: createScriptedLanguageModel(Array(9).fill({ text: 'Done.' })) })
    const verify = [{ id: 'tests', command: 'exit 3' }]
    const acceptance = { verify, maxFinalizationTurns: 1 }
    const rejected = await tasks.Task({ ...developer, acceptance })
    expect(rejected).toMatchObject({
      status: 'failed',
      error: 'Acceptance rejected: verify tests failed (exit code 3): exit 3',
      output: 'Done.',
      acceptance: { status: 'rejected', verify: [{ id: 'tests', exitCode: 3 }] },
    })
    expect(await tasks.TaskGet(rejected.taskId)).toEqual(rejected)
    const passing = { verify: [{ id: 'tests', command: 'true' }] }
    const begun = await tasks.Task({ ...developer, acceptance: passing, run_in_background: true })
    expect(await tasks.wait(begun.taskId)).toMatchObject({ status: 'completed', acceptance: { status: 'verified' } })
    expect(await tasks.Task({ ...developer, acceptance: false })).not.toHaveProperty('acceptance')
  })

  it('H6: an invalid acceptance is refused, and no task is created', async () => {
    const { tasks, runner } = stageWith({ first: reader() })
    await expect(tasks.Task({ ...developer, acceptance: {} })).rejects.toThrow('at least one of criteria')
    const acceptance = { criteria: ['x'], maxFinalizationTurns: 0 }
    await expect(tasks.Task({ ...developer, acceptance })).rejects.toThrow('acceptance.maxFinalizationTurns is 0')
    expect(runner.tasks.list()).toEqual([])
  })

  it('C3: accept timeoutMs, and maxRuntimeMs as another name for it', async () => {
    const slow = { text: 'Sleeping.', toolCalls: [{ name: 'bash', arguments: { command: 'sleep 600' } }] }
    const { tasks, runner } = stageWith({ first: createScriptedLanguageModel([slow, slow]) })
    const { length } = runner.tasks.list()
    await expect(tasks.Task({ ...developer, timeoutMs: 5, maxRuntimeMs: 6 })).rejects.toThrow('aliases of one limit')
    await expect(tasks.Task({ ...developer, timeoutMs: 0 })).rejects.toThrow('timeoutMs')
    expect(runner.tasks.list()).toHaveLength(length)
    expect(await tasks.Task({ ...developer, maxRuntimeMs: 1_000 })).toMatchObject({
      status: 'failed',
      error: 'Execution limit exceeded: maxRuntimeMs',
    })
  })

  it('a paused task says why and how to resume it; set to in_progress it continues, once', async () => {
    const { tasks } = stageWith({ first: reader() })
    const paused = await tasks.Task({ ...developer, execution_limits: { max_turns: 2, timeout_action: 'pause' } })
    const { taskId } = paused
    expect(paused).toMatchObject({
      status: 'paused',
      reason: 'Execution limit exceeded: max_turns',
      resume_url: `/tasks/${taskId}/resume`,
      state: { turns: 2 },
    })
    await expect(tasks.TaskUpdate({ taskId, status: 'completed' })).rejects.toMatchObject({ code: 'invalid_option' })
    const resume = { taskId, status: 'in_progress', add: { turns: 10 } } as const
    const resumed = await Promise.allSettled([tasks.TaskUpdate(resume), tasks.TaskUpdate(resume)])
    expect(resumed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await tasks.wait(taskId)).toMatchObject({ status: 'completed', output: 'All read.', state: { turns: 3 } })
  })

  it('a task in the background continues by itself, and is listed meanwhile', async () => {
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    const model = reader()
    const first = {
      ...model,
      doStream: async (options: Parameters<typeof model.doStream>[0]) => {
        await asked
        return model.doStream(options)
      },
    }
    const { tasks } = stageWith({ first })
    const begun = await tasks.Task({
      ...developer,
      prompt: 'You are DEVELOPER. Task ID: #none',
      run_in_background: true,
    })
    expect(begun.status).toBe('in_progress')
    expect(await tasks.TaskGet(begun.taskId)).toMatchObject({ status: 'in_progress', state: { turns: 0 } })
    answer()
    expect(await tasks.wait(begun.taskId)).toMatchObject({ status: 'completed', output: 'All read.' })
  })

  it('a prompt names its task', async () => {
    const { tasks, runner } = stageWith({ first: reader() })
    runner.tasks.create({ id: '42', subject: 'The answer' })
    runner.tasks.create({ id: '43', subject: 'Another' })
    expect(await tasks.Task({ ...developer, prompt: 'You are DEVELOPER. Task ID: #42...' })).toMatchObject({
      taskId: '42',
    })
  })

  it('warn lets it continue, and the warning names the field', async () => {
    const { tasks } = stageWith({ first: reader() })
    const done = await tasks.Task({ ...developer, execution_limits: { max_turns: 1, timeout_action: 'warn' } })
    expect(done).toMatchObject({ status: 'completed', output: 'All read.' })
    expect(done.warnings.join()).toContain('max_turns')
  })

  it('request_increase waits for a person, is shown as paused, and continues when it is approved', async () => {
    const { tasks, governor } = stageWith({ first: reader() })
    const limits = { max_turns: 2, timeout_action: 'request_increase' }
    const { taskId } = await tasks.Task({ ...developer, execution_limits: limits, run_in_background: true })
    await expect.poll(() => governor.requests()).toHaveLength(1)
    const [request] = await governor.requests()
    expect(await tasks.TaskGet(taskId)).toMatchObject({ status: 'paused', resume_url: `/tasks/${taskId}/resume` })
    await governor.approve(request!.id, { amount: 5 })
    expect(await tasks.wait(taskId)).toMatchObject({ status: 'completed', output: 'All read.' })
  })

  it('a task that cannot start has failed, and says why', async () => {
    const { tasks, runner } = stageWith({ first: reader() })
    await expect(tasks.Task({ ...developer, model: 'opus' })).rejects.toThrow('There is no model opus.')
    expect(runner.tasks.list()).toMatchObject([{ status: 'failed', error: 'There is no model opus.' }])
    await expect(tasks.Task({ ...developer, subagent_type: 'devloper' })).rejects.toThrow(/developer/)
    await expect(tasks.TaskGet('nobody')).rejects.toMatchObject({ code: 'unknown_task' })
  })

  it('a task that was not run is changed by hand', async () => {
    const { tasks } = stageWith({})
    const taskId = await tasks.TaskCreate({ subject: 'By hand' })
    expect(await tasks.TaskUpdate({ taskId, status: 'in_progress' })).toMatchObject({ status: 'in_progress' })
    expect(await tasks.TaskUpdate({ taskId, status: 'completed', subject: 'Done by hand' })).toMatchObject({
      status: 'completed',
      subject: 'Done by hand',
    })
  })
})
