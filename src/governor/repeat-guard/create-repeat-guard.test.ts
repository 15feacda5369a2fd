import { describe, expect, it } from 'vitest'
import { breachIn, createGovernorFixture } from '../fixtures/governor.fixture.ts'
import { answerFrom, modelCall, writesAll } from '../fixtures/model.fixture.ts'
import { createRepeatGuard, type OpenSpec, refusedToolResult, type Scope } from '../index.ts'

const READ = { name: 'read', arguments: { path: 'a.ts' } }

async function guarded(spec: Partial<OpenSpec> = {}) {
  const fixture = createGovernorFixture()
  const run = await fixture.governor.open({ name: 'run', ...spec })
  const guard = createRepeatGuard(run)
  let ran = 0
  const read = () =>
    guard.callTool(READ, () => {
      ran++
      return 'the same text'
    })
  const readTimes = async (count: number) => {
    const outcomes: Awaited<ReturnType<typeof read>>[] = []
    for (let call = 0; call < count; call++) outcomes.push(await read())
    return outcomes
  }
  return { ...fixture, run, guard, read, readTimes, ran: () => ran }
}

describe('a repeat guard', () => {
  it('E11: suppresses the fourth call with the same result once, with a reason: neither run nor counted', async () => {
    const { run, readTimes, ran, emitted } = await guarded({ limits: { toolCalls: 20 } })
    const [, , third, fourth] = await readTimes(4)
    expect(third).toMatchObject({ value: 'the same text' })
    expect(fourth).toEqual({
      kind: 'suppressed',
      reason:
        'Not run: "read" ran 3 times within 6 calls with these arguments and the same result. ' +
        'Use that result, or try something else; calling it again breaches the repeat limit.',
    })
    expect([ran(), (await run.usage()).toolCalls.settled, run.status()]).toEqual([3, 3, 'running'])
    expect(await emitted('limit_exceeded')).toEqual([])
    expect(await run.callTool({ name: 'other' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('E11: the next one is a breach of meter repeat that ends the scope and names its setting', async () => {
    const { run, readTimes, ran, emitted } = await guarded({ wrapUp: true })
    const fifth = (await readTimes(5)).at(-1)!
    expect(fifth).toMatchObject({
      kind: 'refused',
      breach: { meter: 'repeat', action: 'terminate', scope: run.id, scopePath: 'run', limit: 3, settled: 3, asked: 1 },
    })
    const breach = breachIn(fifth)
    expect(breach?.message).toContain('set repeatGuard: false')
    if (breach !== null) expect(refusedToolResult(breach)).toContain('same arguments and the same result')
    expect(ran()).toBe(3)
    expect(await run.callTool({ name: 'other' }, () => 1)).toMatchObject({
      kind: 'refused',
      breach: { meter: 'repeat' },
    })
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
    await run.close()
    expect(run.status()).toBe('limit-reached')
    expect(await emitted('limit_exceeded')).toMatchObject([{ limit_kind: 'repeat', used: 3, requested: 1, limit: 3 }])
    expect(await emitted('agent_failed')).toMatchObject([{ error: 'Execution limit exceeded: repeatGuard' }])
  })

  it.each(['pause', 'ask'] as const)('pauses under %s, and starts over after a resume', async (onLimit) => {
    const { run, readTimes, ran, emitted } = await guarded({ onLimit, limits: { toolCalls: 50 } })
    expect((await readTimes(5)).at(-1)).toMatchObject({ breach: { meter: 'repeat', action: onLimit } })
    expect(run.status()).toBe('paused')
    expect(await emitted('agent_paused')).toMatchObject([{ limit_kind: 'repeat' }])
    await run.setLimits({ toolCalls: 60 })
    expect(run.status()).toBe('paused')
    await run.resume()
    expect((await readTimes(4)).map((outcome) => outcome.kind === 'done')).toEqual([true, true, true, false])
    expect(ran()).toBe(6)
    await run.close()
    expect(run.status()).toBe('completed')
  })

  it('is still at its limit if it is not resumed', async () => {
    const { run, readTimes } = await guarded({ onLimit: 'pause' })
    await readTimes(5)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('reports the breach under warn, and the call runs', async () => {
    const { run, readTimes, ran, emitted } = await guarded({ onLimit: 'warn' })
    const outcomes = await readTimes(10)
    expect(outcomes.map((outcome) => outcome.kind === 'done')).toEqual([
      ...[true, true, true, false, true],
      ...[true, true, false, true, true],
    ])
    expect([ran(), run.status()]).toEqual([8, 'running'])
    expect(await emitted('agent_warning')).toMatchObject([{ limit_kind: 'repeat' }, { limit_kind: 'repeat' }])
    expect(await emitted('limit_exceeded')).toHaveLength(1)
  })

  it('E11: never suppresses polling with changing results, or a tool declared as polling', async () => {
    const { guard } = await guarded()
    for (let call = 0; call < 20; call++) {
      expect(await guard.callTool(READ, () => ({ progress: call }))).toMatchObject({ kind: 'done' })
      expect(await guard.callTool({ name: 'wait', arguments: {}, polls: true }, () => 'same')).toMatchObject({
        kind: 'done',
      })
    }
  })

  it('is reset by a call with side effects, and recognizes repeated errors', async () => {
    const { guard, readTimes } = await guarded()
    await readTimes(3)
    await guard.callTool({ name: 'write', arguments: { path: 'a.ts' }, changes: true }, () => 'written')
    expect((await readTimes(1))[0]).toMatchObject({ kind: 'done' })
    const fail = (attempt: number) =>
      guard.callTool({ name: 'test', arguments: {} }, () => Promise.reject(new Error(`failed after ${attempt} ms`)))
    for (let attempt = 0; attempt < 3; attempt++) await expect(fail(attempt)).rejects.toThrow('failed after')
    expect(await fail(4)).toMatchObject({ kind: 'suppressed' })
  })

  it('gives precedence to a limit that blocks everything', async () => {
    const { run, readTimes } = await guarded({ limits: { toolCalls: 3 } })
    await readTimes(3)
    await run.callTool({ name: 'other' }, () => 1)
    expect((await readTimes(1))[0]).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls' } })
    await run.close()
    await expect(readTimes(1)).rejects.toMatchObject({ code: 'scope_closed' })
  })

  it('gives precedence to a used-up limit, with its action', async () => {
    const { run, readTimes } = await guarded({ limits: { toolCalls: { max: 3, action: 'pause' } } })
    await readTimes(3)
    expect((await readTimes(1))[0]).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls', action: 'pause' } })
    expect(run.status()).toBe('paused')
  })

  it('does not exist in a plain callTool, and guards only one loop', async () => {
    const { governor, run } = await guarded()
    for (let call = 0; call < 9; call++) {
      expect(await run.callTool({ name: READ.name }, () => 'same')).toMatchObject({ value: 'same' })
    }
    const child = createRepeatGuard(await governor.open({ name: 'other' }))
    expect(await child.callTool(READ, () => 'same')).toMatchObject({ value: 'same' })
    expect(() => createRepeatGuard({ id: 'run' } as Scope)).toThrow('a scope of a governor')
  })
})
