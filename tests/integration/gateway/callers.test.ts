import { describe, expect, it } from 'vitest'
import type { StintEvent } from '../../../src/core/index.ts'
import { loopForEver, toolThenText } from '../../../src/testing/provider/index.ts'
import { runAgent } from './agents.ts'
import { KEY, type Stage, startStage } from './stage.ts'

function claude(agent: string | null, parent: string | null = null, session = 'session-1'): Record<string, string> {
  return {
    'x-claude-code-session-id': session,
    ...(agent === null ? {} : { 'x-claude-code-agent-id': agent }),
    ...(parent === null ? {} : { 'x-claude-code-parent-agent-id': parent }),
  }
}

function watched(): { readonly paths: string[]; readonly onEvent: (event: StintEvent) => void } {
  const paths: string[] = []
  return {
    paths,
    onEvent: (event) => {
      if (event.event === 'scope_opened') paths.push(event.scope_path)
    },
  }
}

const once = { isStream: true, mostRounds: 1 }

describe('callers', () => {
  it('each agent of Claude Code is a scope under the run, nested by its headers', async () => {
    const { paths, onEvent } = watched()
    const stage = await startStage({ limits: { cost: 1 }, onEvent })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude(null) })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude('a1') })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude('b2', 'a1') })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude('a1') })
    await stage.settle()
    expect(paths).toEqual(['run', 'run/agent a1', 'run/agent a1/agent b2'])
    expect((await stage.run.usage()).modelCalls.settled).toBe(4)
    expect(stage.calls.map(({ runId, sessionId }) => [runId, sessionId])).toEqual(
      Array(4).fill([stage.run.id, 'session-1']),
    )
    expect(stage.calls[0]!.scopeId).toBe(stage.run.id)
    expect(stage.calls[2]!.scopeId).not.toBe(stage.run.id)
  })

  it('a first agent with an id is the run itself', async () => {
    const { paths, onEvent } = watched()
    const stage = await startStage({ limits: { cost: 1 }, onEvent })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude('main') })
    await runAgent(stage, 'anthropic-messages', { ...once, headers: claude('sub', 'main') })
    await stage.settle()
    expect(paths).toEqual(['run', 'run/agent sub'])
  })

  it('names from headers are made printable, bounded, and never a path', async () => {
    const { paths, onEvent } = watched()
    const stage = await startStage({ limits: { cost: 1 }, onEvent })
    for (const name of ['../../etc', 'a/b\\c', '..', 'x'.repeat(500), 'tab\there', '<script>']) {
      await runAgent(stage, 'openai-chat', { ...once, headers: { 'x-stint-agent': name } })
    }
    await stage.settle()
    expect(paths).toHaveLength(7)
    for (const path of paths.slice(1)) expect(path).toMatch(/^run\/[\p{L}\p{N}._:@+ -]{1,80}$/u)
  })

  it('their number is bounded: those beyond are counted on the run', async () => {
    const { paths, onEvent } = watched()
    const stage = await startStage({ limits: { cost: 1 }, onEvent, bounds: { agents: 2 } })
    for (let agent = 0; agent < 5; agent++) {
      await runAgent(stage, 'openai-chat', { ...once, headers: { 'x-stint-agent': `agent-${agent}` } })
    }
    await stage.settle()
    expect(paths).toHaveLength(3)
    expect((await stage.run.usage()).modelCalls.settled).toBe(5)
  })

  it('B7: spawns limits them: one more is refused, and the others continue', async () => {
    const stage = await startStage({ limits: { spawns: 1 } })
    const ask = (agent: string) =>
      runAgent(stage, 'anthropic-messages', { ...once, headers: { 'x-stint-agent': agent } })
    expect(await ask('one')).toMatchObject({ error: null })
    expect((await ask('two')).error).toMatchObject({ status: 402 })
    expect(await ask('one')).toMatchObject({ error: null })
    expect(stage.provider.requestCount).toBe(2)
  })

  it("at the limit of the run every agent has its own closing call, paid from the run's hold", async () => {
    const stage = await startStage({ limits: { toolCalls: 3 }, script: loopForEver() })
    const main = await runAgent(stage, 'anthropic-messages', { ...once, mostRounds: 2, headers: claude(null) })
    expect(main.toolRuns).toBe(2)
    const sub = await runAgent(stage, 'anthropic-messages', { isStream: true, headers: claude('sub') })
    expect(sub).toMatchObject({ error: null, toolRuns: 1, text: 'This is how far I came.' })
    const end = await runAgent(stage, 'anthropic-messages', { isStream: true, headers: claude(null) })
    expect(end).toMatchObject({ error: null, toolRuns: 0, text: 'This is how far I came.' })
    const again = await runAgent(stage, 'anthropic-messages', { isStream: true, headers: claude('sub') })
    expect(again.error).toMatchObject({ status: 402 })
    await stage.settle()
    expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 3, overrun: 0 })
  })

  it('with the key of a budget, each session is a run below it that ends by itself, and one more is refused', async () => {
    const { paths, onEvent } = watched()
    const stage: Stage = await startStage({
      onEvent,
      script: loopForEver(),
      admission: { scopeOf: async (key) => (key === KEY ? team : null) },
    })
    const team = await stage.governor.budget('team:core', { limits: { toolCalls: 4 } })
    const first = await runAgent(stage, 'anthropic-messages', { mostRounds: 3, headers: claude(null, null, 's1') })
    expect(first.toolRuns).toBe(3)
    const second = await runAgent(stage, 'anthropic-messages', { headers: claude(null, null, 's2') })
    expect(second).toMatchObject({ error: null, toolRuns: 1, text: 'This is how far I came.' })
    expect((await runAgent(stage, 'anthropic-messages')).error).toMatchObject({ status: 402 })
    // A budget is never ended by its limits: after a raise, all of them continue.
    await team.setLimits({ toolCalls: 6 })
    expect((await runAgent(stage, 'anthropic-messages', { mostRounds: 1 })).toolRuns).toBe(1)
    await stage.settle()
    // One without a session is identified by how its conversation begins.
    expect(paths.filter((path) => path.startsWith('team:core/'))).toHaveLength(3)
    expect((await team.usage()).toolCalls.settled).toBe(5)
  })

  it('with the key of a budget, each session of opencode has its own closing call, including the first', async () => {
    const stage: Stage = await startStage({
      script: loopForEver(),
      admission: { scopeOf: async (key) => (key === KEY ? team : null) },
    })
    const team = await stage.governor.budget('team:core', { limits: { toolCalls: 2 } })
    const session = await runAgent(stage, 'anthropic-messages', { headers: { 'x-session-id': 'ses_1' } })
    expect(session).toMatchObject({ error: null, toolRuns: 2, text: 'This is how far I came.' })
  })

  it('with the key of a budget, refused or expired conversations free their places', async () => {
    const stage: Stage = await startStage({
      script: loopForEver(),
      admission: { scopeOf: async (key) => (key === KEY ? team : null) },
      bounds: { agents: 2, lapseMs: 50, lapseWithToolsMs: 50 },
    })
    const team = await stage.governor.budget('team:core', { limits: { cost: 0.000_1 } })
    const ask = (task: string) => runAgent(stage, 'anthropic-messages', { mostRounds: 1, task })
    for (const task of ['a', 'b', 'c']) expect((await ask(task)).error).toMatchObject({ status: 402 })
    await team.setLimits({ cost: 1 })
    for (const task of ['d', 'e']) expect((await ask(task)).toolRuns).toBe(1)
    await expect.poll(async () => (await team.usage()).cost.held).toBe(0)
    expect((await ask('f')).toolRuns).toBe(1)
    expect(stage.calls.map(({ scopeId, runId }) => scopeId === runId)).toEqual([false, false, false])
  })

  it('a run whose loop is elsewhere keeps its closing call: requests with its key are refused at a limit', async () => {
    const stage: Stage = await startStage({
      limits: { toolCalls: 1 },
      script: loopForEver(),
      admission: { scopeOf: async (key) => (key === KEY ? stage.run : null), closesItself: () => true },
    })
    const agent = await runAgent(stage, 'anthropic-messages')
    expect(agent).toMatchObject({ toolRuns: 1, error: { status: 402 } })
    expect(stage.provider.requestCount).toBe(1)
  })

  it('B16: a request that carries an open reservation uses it, once', async () => {
    const stage = await startStage({ limits: { toolCalls: 9, cost: 1 }, script: toolThenText(1) })
    const child = await stage.run.open({ name: 'inner' })
    const spec = { model: 'claude-haiku-5-5', inputTokens: 1_000, maxOutputTokens: 100 }
    const headers = (id: string) => ({ 'x-stint-reservation': id })
    await child.callModel(spec, async ({ reservationId }) => {
      await runAgent(stage, 'anthropic-messages', { ...once, maxTokens: 5_000, headers: headers(reservationId) })
      const sent = JSON.parse(stage.provider.requests[0]!.body.toString())
      // No more than was set aside for it, and nothing else of it changed.
      expect(sent).toMatchObject({ max_tokens: 100 })
      expect(JSON.stringify(sent)).not.toContain('Tool budget')
      expect(stage.provider.requests[0]!.headers).not.toHaveProperty('x-stint-reservation')
      return { value: null, usage: { inputTokens: 50, outputTokens: 10 } }
    })
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 1, reserved: 0 })
    // The tool that the answer calls is counted where it is run.
    expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0 })
    await child.callModel(spec, async ({ reservationId }) => {
      await runAgent(stage, 'anthropic-messages', { ...once, headers: headers(reservationId) })
      await runAgent(stage, 'anthropic-messages', { ...once, headers: headers(reservationId) })
      return { value: null, usage: { inputTokens: 50, outputTokens: 10 } }
    })
    expect((await stage.run.usage()).modelCalls.settled).toBe(3)
  })

  it('B16: a reservation that is foreign, settled or made up is ignored', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const other = await stage.governor.open({ name: 'other', within: null })
    const foreign = await other.reserve({ modelCalls: 1 })
    const settled = await stage.run.reserve({ modelCalls: 1 })
    if (foreign.kind === 'refused' || settled.kind === 'refused') throw new Error('no room')
    await settled.settle()
    for (const id of [foreign.id, settled.id, 'made-up', '']) {
      await runAgent(stage, 'openai-chat', { ...once, headers: { 'x-stint-reservation': id } })
    }
    expect((await stage.run.usage()).modelCalls.settled).toBe(5)
  })
})
