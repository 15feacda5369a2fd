import { describe, expect, it } from 'vitest'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import type { Scope } from '../governor.ts'
import { edgeOf } from '../scope-edge.ts'

const WAYS = [
  ['stop()', (run: Scope) => run.stop()],
  ["close('completed')", (run: Scope) => run.close('completed')],
  ["close('failed')", (run: Scope) => run.close('failed', 'something else')],
  ['close()', (run: Scope) => run.close()],
] as const

async function callTimes(run: Scope, times: number): Promise<void> {
  for (let call = 0; call < times; call++) await run.callTool({ name: 'read' }, () => call)
}

describe('the first cause decides the status', () => {
  it.each(WAYS)('of a scope whose wall time is up, whatever status is given later: %s', async (_, end) => {
    const { governor, clock, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { wallTime: 60 } })
    await clock.advance(60)
    await end(run)
    expect(run.status()).toBe('timed-out')
    expect(await emitted('scope_closed')).toMatchObject([{ status: 'timed-out' }])
    expect(await emitted('agent_completed')).toEqual([])
  })

  it.each(WAYS)('of a scope that a limit refused a call, whatever status is given later: %s', async (_, end) => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { max_turns: 1 } })
    await callTimes(run, 2)
    await end(run)
    expect(run.status()).toBe('limit-reached')
    expect(await emitted('agent_failed')).toMatchObject([
      { status: 'limit-reached', error: 'Execution limit exceeded: max_turns' },
    ])
  })

  it('of a child at its own limit that ends with its parent', async () => {
    const { governor, emitted } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent' })
    const [atLimit, working] = await parent.openAll([{ name: 'a', limits: { toolCalls: 0 } }, { name: 'b' }])
    await callTimes(atLimit!, 1)
    await parent.stop()
    expect([atLimit!.status(), working!.status(), parent.status()]).toEqual(['limit-reached', 'stopped', 'stopped'])
    expect(await emitted('agent_failed')).toHaveLength(3)
  })

  it('unless a limit only paused the scope, or was raised since', async () => {
    const { governor } = createGovernorFixture()
    const paused = await governor.open({ name: 'paused', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await callTimes(paused, 2)
    await paused.stop()
    expect(paused.status()).toBe('stopped')
    const raised = await governor.open({ name: 'raised', limits: { toolCalls: 1 } })
    await callTimes(raised, 2)
    await raised.setLimits({ toolCalls: 5 })
    await raised.close('completed')
    expect(raised.status()).toBe('completed')
  })

  it('E7: unless a tool that ends the work succeeded at the boundary', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await callTimes(run, 1)
    const [submitted, refused] = await Promise.all([
      run.callTool({ name: 'submit', endsWork: true }, () => 'the answer'),
      run.callTool({ name: 'read' }, () => 'more'),
    ])
    expect([submitted.kind, refused.kind]).toEqual(['done', 'refused'])
    await run.close('completed')
    expect(run.status()).toBe('completed')
    expect(await emitted('agent_completed')).toHaveLength(1)
  })

  it('E7: unless the edge, which has seen the answer, decides otherwise', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await callTimes(run, 2)
    await edgeOf(run).endAs('completed', 'answered')
    expect(run.status()).toBe('completed')
  })
})

describe('agent_failed', () => {
  it('names the limit that ended the agent, its state and its source', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { max_turns: 2 } })
    await callTimes(run, 3)
    await run.close()
    const [failed] = await emitted('agent_failed')
    const exceeded = { limit_kind: 'toolCalls', limit: 2, used: 2, requested: 1, remaining: 0, exceeded_by: 1 }
    expect(failed).toMatchObject({
      ...exceeded,
      status: 'limit-reached',
      error: 'Execution limit exceeded: max_turns',
      action: 'terminate',
      source: 'limits.max_turns in the call of governor.open',
      turns: 2,
    })
  })

  it('for a child at a limit of its parent: is about the child, with the parent’s limit', async () => {
    const { governor, emitted } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { toolCalls: 1 } })
    const child = await parent.open({ name: 'child' })
    await callTimes(child, 2)
    await child.close()
    expect(await emitted('agent_failed')).toMatchObject([
      { scope: child.id, scope_path: 'parent/child', agent_name: 'child', limit_kind: 'toolCalls', limit: 1 },
    ])
  })

  it('without a limit has the given reason, and no limit fields', async () => {
    const { governor, emitted } = createGovernorFixture()
    await (await governor.open({ name: 'a', limits: { toolCalls: 5 } })).close('failed', 'bad key')
    await (await governor.open({ name: 'b' })).stop('interrupted')
    const events = await emitted('agent_failed')
    expect(events).toMatchObject([
      { status: 'failed', error: 'bad key' },
      { status: 'stopped', error: 'interrupted' },
    ])
    for (const event of events) expect(event).not.toHaveProperty('limit_kind')
  })
})
