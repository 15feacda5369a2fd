import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventDraftFixture } from '../../core/events/event.fixture.ts'
import type { EventDraft, StintEvent } from '../../core/index.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createEventHub } from './event-hub.ts'

const draft = eventDraftFixture
const hubOf = (options: { maxQueued?: number } = {}) => {
  const clock = createManualClock()
  return { clock, hub: createEventHub({ clock, ...options }) }
}
const never = () => new Promise<never>(() => {})

describe('createEventHub', () => {
  it('delivers asynchronously and in order, numbered per scope', async () => {
    const { hub } = hubOf()
    const heard: StintEvent[] = []
    hub.on((event) => heard.push(event))
    hub.emit(draft('scope_opened', 'a'))
    hub.emit(draft('scope_opened', 'b'))
    hub.emit(draft('call_settled', 'a'))
    expect(heard).toEqual([])
    expect(await hub.drain(1000)).toBe(true)
    expect(heard.map(({ event, scope, seq }) => [event, scope, seq])).toEqual([
      ['scope_opened', 'a', 1],
      ['scope_opened', 'b', 1],
      ['call_settled', 'a', 2],
    ])
    expect(heard[0]).toEqual({ ...draft('scope_opened', 'a'), seq: 1 })
  })

  it('builds frequent events only if there is a listener, and numbers them either way', async () => {
    const { hub } = hubOf()
    let worded = 0
    const settled = (): EventDraft => {
      worded++
      return draft('call_settled', 'run')
    }
    hub.emitOf('run', settled)
    expect([worded, hub.stats().emitted]).toEqual([0, 1])
    const heard: number[] = []
    hub.on(({ seq }) => void heard.push(seq))
    hub.emitOf('run', settled)
    await hub.drain(1000)
    expect([worded, heard]).toEqual([1, [2]])
  })

  it('numbers the events of a scope with or without listeners, even after its end', async () => {
    const { hub } = hubOf()
    const heard: number[] = []
    hub.emit(draft('scope_opened'))
    hub.emit(draft('scope_closed'))
    hub.on((event) => heard.push(event.seq))
    hub.emit(draft('call_settled'))
    await hub.drain(1000)
    expect(heard).toEqual([3])
  })

  it.each<[string, (event: StintEvent) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken sink')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken sink'))],
    [
      'changes what it is told',
      (event) => {
        ;(event as { scope: string }).scope = 'forged'
      },
    ],
  ])('I3: a listener that %s affects neither the emitter nor other listeners, and is counted', async (_, broken) => {
    const { hub } = hubOf()
    const heard: StintEvent[] = []
    hub.on(broken)
    hub.on((event) => heard.push(event))
    for (let index = 0; index < 3; index++) hub.emit(draft('call_settled'))
    expect(await hub.drain(1000)).toBe(true)
    expect(heard.map(({ scope, seq }) => [scope, seq])).toEqual([
      ['run-1', 1],
      ['run-1', 2],
      ['run-1', 3],
    ])
    expect(hub.stats().listeners[0]).toMatchObject({ errors: 3, delivered: 0, lastError: expect.any(Error) })
    expect(hub.stats().listeners[1]).toMatchObject({ errors: 0, delivered: 3, lastError: null })
  })

  it('I3: a listener that never finishes fills only its own queue, and dropped events are counted', async () => {
    const { clock, hub } = hubOf({ maxQueued: 4 })
    const heard: number[] = []
    hub.on(function stuck() {
      return never()
    })
    hub.on((event) => heard.push(event.seq))
    for (let index = 0; index < 10; index++) {
      hub.emit(draft('call_settled'))
      await Promise.resolve()
      await Promise.resolve()
    }
    const drained = hub.drain(1000)
    await clock.advance(1000)
    expect(await drained).toBe(false)
    expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(hub.stats()).toMatchObject({ emitted: 10, dropped: 5 })
    expect(hub.stats().listeners[0]).toMatchObject({ name: 'stuck', queued: 4, isBusy: true, dropped: 5 })
    expect(clock.pendingTimers).toBe(0)
  })

  it('waits for a slow listener before the next delivery', async () => {
    const { clock, hub } = hubOf()
    const heard: string[] = []
    hub.on(async (event) => {
      heard.push(`begin ${event.seq}`)
      await new Promise<void>((resolve) => {
        clock.after(100, resolve)
      })
      heard.push(`end ${event.seq}`)
    })
    hub.emit(draft('call_settled'))
    hub.emit(draft('call_settled'))
    const drained = hub.drain(1000)
    await clock.advance(200)
    expect(await drained).toBe(true)
    expect(heard).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('drops what exceeds a queue, and yields to the process between batches', async () => {
    const { hub } = hubOf({ maxQueued: 1000 })
    let heardBeforeOtherWork = Number.POSITIVE_INFINITY
    let heard = 0
    hub.on(() => heard++)
    for (let index = 0; index < 1500; index++) hub.emit(draft('call_settled'))
    setImmediate(() => {
      heardBeforeOtherWork = heard
    })
    await hub.drain(1000)
    expect(heardBeforeOtherWork).toBeLessThanOrEqual(100)
    expect(heard).toBe(1000)
    expect(hub.stats().dropped).toBe(500)
  })

  it('delivers only the subscribed names, in lower or upper case', async () => {
    const { hub } = hubOf()
    const heard: string[] = []
    hub.on('AGENT_FAILED', (event) => heard.push(`capitals ${event.event} ${event.status}`))
    hub.on('agent_failed', (event) => heard.push(`small ${event.error}`))
    hub.on('*', (event) => heard.push(`all ${event.event}`))
    hub.on((event) => heard.push(`some ${event.event}`), { names: ['AGENT_PAUSED', 'agent_warning'] })
    for (const name of ['agent_failed', 'agent_paused', 'call_settled'] as const) hub.emit(draft(name))
    await hub.drain(1000)
    expect(heard.sort()).toEqual([
      'all agent_failed',
      'all agent_paused',
      'all call_settled',
      'capitals agent_failed limit-reached',
      'small Agent exceeded max_turns limit',
      'some agent_paused',
    ])
  })

  it('refuses unknown event names, with a suggestion', () => {
    const { hub } = hubOf()
    const listener = () => {}
    const subscribe = hub.on as (...input: readonly unknown[]) => unknown
    expect(() => subscribe('agent_faild', listener)).toThrow(
      '"agent_faild" is not an event. Did you mean "agent_failed"?',
    )
    expect(() => subscribe(listener, { names: ['limit_nearing', 'AGENT_PAUSD'] })).toThrow('"agent_paused"')
    expect(() => subscribe('__proto__', listener)).toThrow('"__proto__" is not an event. The events are scope_opened, ')
    expect(() => subscribe(listener, { names: 'agent_failed' })).toThrow('must be a list')
    expect(() => subscribe('agent_failed')).toThrow('must be a function')
    expect(hub.stats().listeners).toEqual([])
  })

  it('delivers nothing after unsubscribing, not even queued events', async () => {
    const { hub } = hubOf()
    const heard: number[] = []
    const leave = hub.on((event) => heard.push(event.seq))
    hub.emit(draft('call_settled'))
    await hub.drain(1000)
    hub.emit(draft('call_settled'))
    leave()
    leave()
    hub.emit(draft('call_settled'))
    expect(await hub.drain(1000)).toBe(true)
    expect(heard).toEqual([1])
  })

  it('delivers nothing after closing, and counts queued events as dropped', async () => {
    const { hub } = hubOf()
    const heard: number[] = []
    hub.on((event) => heard.push(event.seq))
    hub.emit(draft('call_settled'))
    hub.close()
    hub.close()
    hub.emit(draft('call_settled'))
    hub.on((event) => heard.push(event.seq))
    expect(await hub.drain(1000)).toBe(true)
    expect(heard).toEqual([])
    expect(hub.stats()).toMatchObject({ emitted: 1, dropped: 1 })
  })

  it('never throws, whatever the event', () => {
    const { hub } = hubOf()
    hub.on(() => {})
    const circular: Record<string, unknown> = { scope: 'a' }
    circular.self = circular
    const hostile = {
      get scope(): string {
        throw new Error('no scope')
      },
    }
    for (const nonsense of [null, undefined, 7, circular, hostile]) hub.emit(nonsense as unknown as EventDraft)
    expect(hub.stats().malformed).toBe(4)
  })

  it('calls a listener in the context in which it subscribed, not in the emitter’s', async () => {
    const { hub } = hubOf()
    const current = new AsyncLocalStorage<string>()
    const heard: (string | undefined)[] = []
    current.run('subscriber', () => hub.on(() => heard.push(current.getStore())))
    current.run('emitter', () => hub.emit(draft('call_settled')))
    await hub.drain(1000)
    expect(heard).toEqual(['subscriber'])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a queue of %s places', (maxQueued) => {
    expect(() => hubOf({ maxQueued })).toThrow('maxQueued is')
  })

  it('keeps all events in order, whatever is emitted during delivery', async () => {
    const step = fc.record({ scope: fc.constantFrom('a', 'b', 'c'), pause: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        async (steps, maxQueued) => {
          const { hub } = hubOf({ maxQueued })
          const heard: StintEvent[] = []
          hub.on((event) => {
            heard.push(event)
            return event.seq % 3 === 0 ? Promise.resolve() : undefined
          })
          for (const { scope, pause } of steps) {
            hub.emit(draft('call_settled', scope))
            if (pause) await Promise.resolve()
          }
          await hub.drain(1000)
          const { dropped, listeners } = hub.stats()
          expect(heard.length + dropped).toBe(steps.length)
          expect(listeners[0]).toMatchObject({ delivered: heard.length, dropped, queued: 0, isBusy: false })
          for (const scope of ['a', 'b', 'c']) {
            const seqs = heard.filter((event) => event.scope === scope).map(({ seq }) => seq)
            expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
