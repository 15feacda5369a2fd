import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../../core/limits/limit.fixture.ts'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createScopeClocks, type ScopeClocks } from './scope-clocks.ts'

function clocks(limits: Parameters<typeof limitFixture>[], hasClosingCall = false) {
  const clock = createManualClock()
  const emitted: string[] = []
  const scope: ScopeClocks = createScopeClocks(
    clock,
    limits.map((limit) => limitFixture(...limit)),
    () => hasClosingCall,
    {
      onCrossing: (limit, crossing, usedMs) => emitted.push(`${limit.meter} ${crossing.kind} at ${usedMs}`),
      onClosing: (limit, usedMs) => emitted.push(`${limit.meter} closing at ${usedMs}`),
      onLimit: (limit, usedMs) => emitted.push(`${limit.meter} limit at ${usedMs}`),
    },
  )
  return { clock, emitted, scope }
}

describe('the clocks of a scope', () => {
  it('A8: report once that half of 200 ms are over, and nothing if the work ended before', async () => {
    const { clock, emitted } = clocks([['time', 200, { nearing: [0.5] }]])
    await clock.advance(99)
    expect(emitted).toEqual([])
    await clock.advance(50)
    expect(emitted).toEqual(['time nearing at 100'])
    const ended = clocks([['time', 200, { nearing: [0.5] }]])
    await ended.clock.advance(99)
    ended.scope.stop()
    await ended.clock.advance(500)
    expect(ended.emitted).toEqual([])
  })

  it('C6: reach the limit by a timer, once', async () => {
    const { clock, emitted } = clocks([['time', 200, { nearing: [] }]])
    await clock.advance(1_000)
    expect(emitted).toEqual(['time limit at 200', 'time exceeded at 201'])
  })

  it('C9: stop with the scope, except for the wall time', async () => {
    const { clock, emitted, scope } = clocks([
      ['time', 300, { nearing: [] }],
      ['wallTime', 1_000, { nearing: [] }],
    ])
    await clock.advance(200)
    scope.setSuspended(true)
    await clock.advance(700)
    expect([emitted, scope.usedMs('time'), scope.usedMs('wallTime')]).toEqual([[], 200, 900])
    scope.setSuspended(false)
    await clock.advance(99)
    expect(emitted).toEqual([])
    await clock.advance(1)
    expect(emitted).toEqual(['time limit at 300', 'wallTime limit at 1000'])
  })

  it('C9: start a new wall time with each invocation', async () => {
    const { clock, emitted, scope } = clocks([['wallTime', 1_000, { nearing: [] }]])
    await clock.advance(900)
    scope.endInvocation()
    await clock.advance(86_400_000)
    expect(emitted).toEqual([])
    scope.beginInvocation()
    await clock.advance(999)
    expect(emitted).toEqual([])
    await clock.advance(1)
    expect(emitted).toEqual(['wallTime limit at 1000'])
  })

  it('count idle time from the last call', async () => {
    const { clock, emitted, scope } = clocks([['idleTime', 100, { nearing: [] }]])
    for (let call = 0; call < 5; call++) {
      await clock.advance(90)
      scope.touch()
    }
    expect(emitted).toEqual([])
    await clock.advance(100)
    expect(emitted[0]).toBe('idleTime limit at 100')
  })

  it('reserve the last tenth, at most 15 seconds, for the closing call', async () => {
    const { clock, emitted } = clocks([['time', 60_000, { nearing: [] }]], true)
    await clock.advance(54_000)
    expect(emitted).toEqual(['time closing at 54000'])
    await clock.advance(6_000)
    expect(emitted).toEqual(['time closing at 54000', 'time limit at 60000'])
    const short = clocks([['time', 1_500, { nearing: [] }]], true)
    await short.clock.advance(1_500)
    expect(short.emitted).toEqual(['time limit at 1500'])
  })

  it('A7: only warn if that is the action, and again at each further fifth', async () => {
    const { clock, emitted } = clocks([['time', 1_000, { nearing: [], action: 'warn' }]], true)
    await clock.advance(1_450)
    expect(emitted).toEqual(['time exceeded at 1001', 'time further at 1200', 'time further at 1400'])
  })

  it('E8: follow a raised or lowered limit immediately', async () => {
    const { clock, emitted, scope } = clocks([['time', 1_000, { nearing: [] }]])
    await clock.advance(900)
    scope.setLimits([limitFixture('time', 2_000, { nearing: [0.8] })])
    await clock.advance(600)
    expect(emitted).toEqual([])
    await clock.advance(100)
    expect(emitted).toEqual(['time nearing at 1600'])
    scope.setLimits([limitFixture('time', 1_500, { nearing: [] })])
    expect(emitted.slice(1)).toEqual(['time exceeded at 1600', 'time limit at 1600'])
  })

  it('C8: measure durations unaffected by jumps of the wall clock, and do not fire 30 days early', async () => {
    const { clock, emitted, scope } = clocks([['wallTime', 30 * 86_400_000, { nearing: [] }]])
    clock.jumpWall(365 * 86_400_000)
    await clock.advance(29 * 86_400_000)
    expect([emitted, scope.usedMs('wallTime')]).toEqual([[], 29 * 86_400_000])
    await clock.advance(86_400_000)
    expect(emitted).toEqual([`wallTime limit at ${30 * 86_400_000}`])
  })
})
