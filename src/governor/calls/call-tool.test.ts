import { describe, expect, it } from 'vitest'
import { isLimitExceeded, isStintError } from '../../core/index.ts'
import { createGovernorFixture, settleDown } from '../fixtures/governor.fixture.ts'
import { deferred } from '../fixtures/model.fixture.ts'

describe('callTool', () => {
  it('A2, A6: five of five run, the sixth is refused before dispatch, and nothing after it is admitted', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5, modelCalls: 50 } })
    let calls = 0
    let requests = 0
    for (let call = 0; call < 8; call++) await run.callTool({ name: 'read' }, () => ++calls)
    const model = await run.callModel({ inputTokens: 1, maxOutputTokens: 1 }, async () => ({
      value: ++requests,
      usage: null,
    }))
    expect([calls, requests]).toEqual([5, 0])
    expect(model).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls', limit: 5, settled: 5, asked: 1 } })
    await expect(run.open({ name: 'child' })).rejects.toSatisfy((error) => isLimitExceeded(error, run.id))
    await run.close()
    expect(run.status()).toBe('limit-reached')
    expect(await emitted('limit_exceeded')).toHaveLength(1)
    expect(await emitted('agent_failed')).toMatchObject([
      { status: 'limit-reached', error: 'Execution limit exceeded: toolCalls' },
    ])
  })

  it('A12: of three at once with two left, two run, and hint, counter and admission agree', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 3 } })
    await run.callTool({ name: 'read' }, () => 'first')
    const ran: number[] = []
    const outcomes = await Promise.all([1, 2, 3].map((call) => run.callTool({ name: 'read' }, () => ran.push(call))))
    expect(ran).toEqual([1, 2])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'refused'])
    expect((await run.usage()).toolCalls.remaining).toBe(0)
    expect(await run.hint()).toBe('[budget: 0 of 3 tool calls left — finalize NOW; the next tool call will be refused]')
  })

  it('counts a tool that throws, and throws what it threw', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    const broken = run.callTool({ name: 'read' }, () => {
      throw new Error('no such file')
    })
    await expect(broken).rejects.toThrow('no such file')
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 1, reserved: 0 })
  })

  it('does not count a tool that ends the work, and runs it even with no tool call left', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool({ name: 'read' }, () => 'text')
    expect(await run.callTool({ name: 'submit', endsWork: true }, () => 'sent')).toMatchObject({ value: 'sent' })
    expect((await run.usage()).toolCalls.settled).toBe(1)
  })

  it('counts a tool that should end the work but keeps failing, so a loop of them is bounded', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 2 } })
    let calls = 0
    const submit = () =>
      run.callTool({ name: 'submit', endsWork: true }, () => {
        calls++
        throw new Error('not valid')
      })
    for (let time = 0; time < 5; time++) await expect(submit()).rejects.toThrow('not valid')
    expect(await submit()).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls', settled: 2 } })
    expect([calls, (await run.usage()).toolCalls.overrun]).toEqual([5, 0])
  })

  it('C6: a hung tool is stopped by the timer, counted once, and abandoned after the grace period', async () => {
    const { governor, clock, emitted } = createGovernorFixture({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { time: '10s', toolCalls: 5 } })
    const outcome = run.callTool({ name: 'hang' }, () => new Promise<never>(() => {}))
    await clock.advance(11_000)
    expect(await outcome).toMatchObject({
      kind: 'stopped',
      abandoned: true,
      mayBeHalfDone: false,
      by: { meter: 'time' },
    })
    expect(await emitted('call_settled')).toHaveLength(1)
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 1, reserved: 0 })
  })

  it('a limit that stops a tool is never mistaken for the tool’s own error', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    const outcome = run.callTool({ name: 'heeds' }, ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ kind: 'stopped', abandoned: false, by: { meter: 'time', scope: run.id } })
  })

  it.each([
    ['a clock of its scope', { limits: { time: '10s' } }, {}],
    ['its own time-out', {}, { timeoutMs: 10_000 }],
  ])('the outcome has the error that a tool throws after %s has stopped it', async (_, spec, tool) => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', ...spec })
    const failing = (make: (signal: AbortSignal) => unknown) =>
      run.callTool({ name: 'fails', ...tool }, ({ signal }) => {
        return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(make(signal))))
      })
    const bug = new TypeError('real bug')
    const outcomes = [
      failing(() => bug),
      failing(({ reason }) => reason),
      failing(() => new DOMException('This operation was aborted', 'AbortError')),
      failing(({ reason }) => new Error('the download failed', { cause: reason })),
    ]
    await clock.advance(10_000)
    const errors = (await Promise.all(outcomes)).map((outcome) => outcome.kind === 'stopped' && outcome.error)
    expect(errors).toEqual([bug, null, null, null])
  })

  it('stops a tool after its own timeout, while the scope continues', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    const slow = run.callTool({ name: 'slow', timeoutMs: 50 }, ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await clock.advance(50)
    expect(await slow).toMatchObject({ kind: 'stopped', abandoned: false, by: null })
    expect(await run.callTool({ name: 'next' }, () => 1)).toMatchObject({ value: 1 })
  })

  it('E4: a tool with side effects may finish within the grace period when the time is up', async () => {
    const { governor, clock } = createGovernorFixture({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    const write = deferred<string>()
    let wasStopped = false
    const outcome = run.callTool({ name: 'write', changes: true }, ({ signal }) => {
      signal.addEventListener('abort', () => {
        wasStopped = true
      })
      return write.promise
    })
    await clock.advance(10_500)
    write.resolve('written')
    expect(await outcome).toMatchObject({ value: 'written' })
    expect(wasStopped).toBe(false)
  })

  it('E4: one that does not finish is reported as stopped at an unsafe boundary', async () => {
    const { governor, clock } = createGovernorFixture({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { time: '10s' } })
    const outcome = run.callTool({ name: 'write', changes: true }, ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await clock.advance(11_000)
    expect(await outcome).toMatchObject({ kind: 'stopped', mayBeHalfDone: true, by: { meter: 'time' } })
  })

  it('knows the scope in which called code runs, and charges what is opened there', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    expect(governor.current()).toBe(null)
    await run.callTool({ name: 'outer' }, async () => {
      await settleDown()
      expect(governor.current()).toBe(run)
      const inner = await governor.open({ name: 'inner' })
      expect(inner.path).toBe('run/inner')
      expect((await governor.open({ name: 'apart', within: null })).path).toBe('apart')
    })
  })

  it('is refused on a scope that has ended', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    await run.close()
    const late = run.callTool({ name: 'late' }, () => 1)
    await expect(late).rejects.toSatisfy((error) => isStintError(error, 'scope_closed'))
  })

  it('B1: an inner limit breaches first, and catching it does not catch an outer one', async () => {
    const { governor } = createGovernorFixture()
    const outer = await governor.open({ name: 'outer', limits: { tokens: 1_000 } })
    const inner = await outer.open({ name: 'inner', limits: { tokens: 500 } })
    const first = await inner.reserve({ tokens: 600 })
    expect(first).toMatchObject({ kind: 'refused', breach: { scope: inner.id, limit: 500, source: { layer: 'call' } } })
    const other = await outer.open({ name: 'other' })
    const held = await other.reserve({ tokens: 900 })
    if (held.kind === 'granted') await held.settle()
    expect(await inner.reserve({ tokens: 400 })).toMatchObject({ kind: 'refused', breach: { scope: outer.id } })
  })
})
