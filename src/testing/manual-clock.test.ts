import { describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'

describe('createManualClock', () => {
  it('does not advance by itself', async () => {
    const clock = createManualClock({ wallMs: 1000, monotonicMs: 5 })
    expect([clock.wallMs(), clock.monotonicMs()]).toEqual([1000, 5])
    await clock.advance(250)
    expect([clock.wallMs(), clock.monotonicMs()]).toEqual([1250, 255])
  })

  it('fires due timers in order, each at its own time, and no others', async () => {
    const clock = createManualClock()
    const fired: string[] = []
    const note = (name: string) => () => fired.push(`${name} at ${clock.monotonicMs()}`)
    clock.after(30, note('third'))
    clock.after(10, note('first'))
    clock.after(10, note('second'))
    clock.after(31, note('late'))
    await clock.advance(9)
    expect(fired).toEqual([])
    await clock.advance(21)
    expect(fired).toEqual(['first at 10', 'second at 10', 'third at 30'])
    expect(clock.pendingTimers).toBe(1)
  })

  it('lets promises run between timers, and fires timers that they set', async () => {
    const clock = createManualClock()
    const fired: string[] = []
    clock.after(10, async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      clock.after(5, () => fired.push(`inner at ${clock.monotonicMs()}`))
    })
    clock.after(20, () => fired.push(`outer at ${clock.monotonicMs()}`))
    await clock.advance(20)
    expect(fired).toEqual(['inner at 15', 'outer at 20'])
  })

  it('counts timers set by promises that were ready before the step', async () => {
    const clock = createManualClock()
    let fired = false
    void Promise.resolve().then(() => {
      clock.after(1, () => {
        fired = true
      })
    })
    await clock.advance(1)
    expect(fired).toBe(true)
  })

  it('never fires a cancelled timer, even if another timer of the same time cancelled it', async () => {
    const clock = createManualClock()
    const fired: string[] = []
    clock.after(10, () => cancelSecond())
    const cancelSecond = clock.after(10, () => fired.push('second'))
    const cancelThird = clock.after(10, () => fired.push('third'))
    await clock.advance(10)
    cancelThird()
    cancelThird()
    expect(fired).toEqual(['third'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('C8: a jump of the wall clock moves no timer and no duration', async () => {
    const clock = createManualClock({ wallMs: 0 })
    let fired = false
    clock.after(30 * 86_400_000, () => {
      fired = true
    })
    clock.jumpWall(365 * 86_400_000)
    await clock.advance(1)
    expect(fired).toBe(false)
    expect(clock.wallMs()).toBe(365 * 86_400_000 + 1)
    expect(clock.monotonicMs()).toBe(1)
  })

  it('runs overlapping steps one after the other', async () => {
    const clock = createManualClock()
    const fired: number[] = []
    clock.after(15, () => fired.push(clock.monotonicMs()))
    await Promise.all([clock.advance(10), clock.advance(10)])
    expect(fired).toEqual([15])
    expect(clock.monotonicMs()).toBe(20)
  })

  it('throws the error of a timer to the caller that advanced the clock, and continues afterwards', async () => {
    const clock = createManualClock()
    clock.after(1, () => {
      throw new Error('broken timer')
    })
    await expect(clock.advance(2)).rejects.toThrow('broken timer')
    await clock.advance(1)
    expect(clock.monotonicMs()).toBe(2)
  })

  it('ends a step in which a timer keeps setting itself', async () => {
    const clock = createManualClock()
    const again = (): void => void clock.after(0, again)
    clock.after(1, again)
    await expect(clock.advance(5)).rejects.toThrow('More than 100000 timers fired at 1 ms')
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a step of %s ms', async (ms) => {
    await expect(createManualClock().advance(ms)).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('refuses a delay that is not a number', () => {
    expect(() => createManualClock().after(Number.NaN, () => {})).toThrow('clock.after(delayMs) is NaN, but must be')
  })
})
