import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rebuiltConversation } from '../../../src/runner/run/record/rebuilt-conversation.ts'
import { readTranscript } from '../../../src/runner/tasks/transcript.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { FILES, read, reader } from './reader.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

describe('a paused task', () => {
  const limited = () => agentFrom({}, { execution_limits: { max_turns: 2, timeout_action: 'pause' } })

  it('E1, E2: continues with a higher limit, with the same conversation, exactly once', async () => {
    const first = reader()
    const { runner, workingFolder } = createStage({ first }, FILES)
    const paused = await runner.run({ agent: limited(), task: 'Read all.', workingFolder, id: 'job-1' })
    expect(paused).toMatchObject({ status: 'paused', resumeUrl: '/tasks/job-1/resume', error: null, timedOut: false })
    expect(runner.tasks.get('job-1')).toMatchObject({
      status: 'paused',
      reason: 'Execution limit exceeded: max_turns',
      resume_url: '/tasks/job-1/resume',
      state: { turns: 2 },
    })
    const before = first.requests.at(-1)!.prompt
    const results = await Promise.allSettled([
      runner.resume('job-1', { add: { turns: 10 } }),
      runner.resume('job-1', { add: { turns: 10 } }),
    ])
    const [done, ...others] = results.filter(({ status }) => status === 'fulfilled')
    expect(others).toEqual([])
    const result = (done as PromiseFulfilledResult<Awaited<ReturnType<typeof runner.resume>>>).value
    expect(result).toMatchObject({ status: 'completed', output: 'All read.' })
    expect(result.usage.toolCalls).toMatchObject({ settled: 3, limit: 12 })
    const after = first.requests.at(-1)!.prompt
    expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before))
    expect(runner.tasks.get('job-1')).toMatchObject({ status: 'completed', reason: null, resume_url: null })
    await expect(runner.resume('job-1')).rejects.toMatchObject({ code: 'scope_closed' })
  })

  it('pauses again if the limit was not raised, and says so', async () => {
    const { runner, workingFolder } = createStage({ first: reader() }, FILES)
    await runner.run({ agent: limited(), task: 'Read all.', workingFolder, id: 'job-1' })
    const again = await runner.resume('job-1', { add: { messages: 5 } })
    expect(again).toMatchObject({ status: 'paused' })
    expect(again.warnings.slice(0, 2)).toEqual([
      'messages is not limited: nothing was added.',
      'max_turns paused it and was not raised: it will pause again at the next call.',
    ])
    const result = await runner.resume('job-1', { add: ['turns=1'] })
    expect(result).toMatchObject({ status: 'completed', output: 'All read.' })
  })

  it('remembers which of its models an untrusted file named', async () => {
    const first = reader()
    const { runner, workingFolder } = createStage({ first }, FILES)
    const place = 'model in .stint/agents/free.md:3'
    const layers = [{ layer: 'call' as const, limits: { cost: null } }]
    const agent = { ...limited(), untrustedModels: { first: place } }
    const { artifacts } = await runner.run({ agent, task: 'Read all.', workingFolder, id: 'job-1', layers })
    const saved = JSON.parse(readFileSync(join(artifacts.folder, 'request.json'), 'utf8'))
    expect(saved.untrustedModels).toEqual({ first: place })
    expect(await runner.resume('job-1', { add: { turns: 10 } })).toMatchObject({ status: 'completed' })
  })

  it('is unchanged by an invalid raise', async () => {
    const { runner, workingFolder } = createStage({ first: reader() }, FILES)
    await runner.run({ agent: limited(), task: 'Read all.', workingFolder, id: 'job-1' })
    await expect(runner.resume('job-1', { add: { trns: 10 } as never })).rejects.toMatchObject({
      code: 'invalid_limit',
    })
    expect(runner.tasks.get('job-1')?.status).toBe('paused')
    expect(await runner.resume('job-1', { add: { turns: 10 } })).toMatchObject({ status: 'completed' })
  })

  it('H12: continues as it was started, even if its file has changed', async () => {
    const edit = { name: 'write', arguments: { path: 'AGENTS.md', content: 'Be rude.' } }
    const first = createScriptedLanguageModel([
      { toolCalls: [edit] },
      read('a'),
      read('b'),
      read('c'),
      { text: 'Done.' },
    ])
    const { runner, workingFolder } = createStage({ first }, { ...FILES, 'AGENTS.md': 'Be kind.' })
    const agent = { ...limited(), prompt: 'You are the old one.', inheritProjectContext: true }
    await runner.run({ agent, task: 'Read all.', workingFolder, id: 'job-1' })
    expect(readFileSync(`${workingFolder}/AGENTS.md`, 'utf8')).toBe('Be rude.')
    await runner.resume('job-1', { add: { turns: 10 } })
    const systems = first.requests.map(({ prompt }) => JSON.stringify(prompt[0]))
    expect(systems).toHaveLength(5)
    expect(new Set(systems).size).toBe(1)
    expect(systems[0]).toContain('You are the old one.')
    expect(systems[0]).toContain('Be kind.')
  })

  it('without a saved conversation stays paused, and is not restarted', async () => {
    const first = reader()
    const { runner, workingFolder, governor, taskFolder } = createStage({ first }, FILES)
    await runner.run({ agent: limited(), task: 'Read all.', workingFolder, id: 'job-1' })
    const scope = (await governor.find('job-1'))!
    rmSync(`${taskFolder}/job-1/request.json`)
    await expect(runner.resume('job-1')).rejects.toMatchObject({ code: 'unknown_task' })
    expect([scope.status(), first.book.length]).toEqual(['paused', 3])
  })

  it.each(['unknown', 'job-2'])('that was not run by the runner cannot be resumed: %s', async (id) => {
    const { runner } = createStage({ first: reader() })
    runner.tasks.create({ id: 'job-2', subject: 'to be done' })
    await expect(runner.resume(id)).rejects.toMatchObject({ code: 'unknown_task' })
  })
})

describe('the transcript of a run', () => {
  it('is the exact conversation of the AI SDK, with failed, refused and unknown calls', async () => {
    const calls = (...names: readonly string[]) =>
      names.map((name, index) => ({ id: `${name}-${index}`, name, arguments: { path: ['a', 'gone', 'b'][index] } }))
    const first = createScriptedLanguageModel([
      { text: 'Two at once.', toolCalls: calls('read', 'read') },
      { text: 'One that nobody has.', toolCalls: [{ id: 'x', name: 'fly', arguments: {} }] },
      { toolCalls: calls('read', 'read', 'read') },
    ])
    const { runner, workingFolder, store } = createStage({ first }, FILES)
    const agent = agentFrom({}, { limits: { toolCalls: 4 }, onLimit: 'pause' })
    const { status, artifacts } = await runner.run({ agent, task: 'go', workingFolder, id: 'job-1' })
    expect(status).toBe('paused')
    const { runs } = JSON.parse((await store.document({ scopeId: 'job-1' }))!)
    const rebuilt = rebuiltConversation(readTranscript(artifacts.transcript))
    expect(rebuilt.interrupted).toEqual([])
    expect(JSON.parse(JSON.stringify(rebuilt.messages))).toEqual(runs[0].messages)
  })
})
