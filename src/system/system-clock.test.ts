import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSystemClock } from './system-clock.ts'

const DAY_MS = 86_400_000

describe('createSystemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 0 })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('returns the time of the machine', () => {
    const clock = createSystemClock()
    const startMs = clock.monotonicMs()
    vi.advanceTimersByTime(1500)
    expect(clock.wallMs()).toBe(1500)
    expect(clock.monotonicMs() - startMs).toBe(1500)
  })

  it('C8: fires a timer of 30 days after 30 days, not immediately', () => {
    const callback = vi.fn()
    createSystemClock().after(30 * DAY_MS, callback)
    vi.advanceTimersByTime(30 * DAY_MS - 1)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it('sleeps again if the timeout is early by the monotonic clock', () => {
    const callback = vi.fn()
    createSystemClock().after(10, callback)
    const real = performance.now.bind(performance)
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => real() - 0.4)
    vi.advanceTimersByTime(10)
    expect(callback).not.toHaveBeenCalled()
    slow.mockRestore()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it('cancels a timer, even one that sleeps a second time', () => {
    const callback = vi.fn()
    const cancel = createSystemClock().after(60 * DAY_MS, callback)
    vi.advanceTimersByTime(59 * DAY_MS)
    cancel()
    cancel()
    vi.advanceTimersByTime(2 * DAY_MS)
    expect(callback).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never calls back before it returns, even without a delay', () => {
    const callback = vi.fn()
    createSystemClock().after(-5, callback)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it('keeps the process alive unless told otherwise', () => {
    vi.useRealTimers()
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    const clock = createSystemClock()
    const cancels = [clock.after(1000, () => {}), clock.after(1000, () => {}, { unref: true })]
    expect(setTimer.mock.results.map(({ value }) => value.hasRef())).toEqual([true, false])
    for (const cancel of cancels) cancel()
  })

  it('refuses a delay that is not a number', () => {
    expect(() => createSystemClock().after(Number.NaN, () => {})).toThrow('clock.after(delayMs) is NaN, but must be')
  })
})
