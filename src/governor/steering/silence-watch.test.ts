import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createSilenceWatch } from './silence-watch.ts'

const SECOND_MS = 1_000
const seen = (beats: number) => [{ holder: 'far', beats, beatAtMs: null, diedAtMs: null }]

describe('the silence watch', () => {
  it('counts a minute from when a holder was first seen, and again from each heartbeat', async () => {
    const clock = createManualClock()
    const watch = createSilenceWatch(clock)
    const silentAfter = async (seconds: number, beats: number): Promise<boolean> => {
      for (let left = seconds; left > 0; left -= 5) {
        await clock.advance(5 * SECOND_MS)
        watch.saw(seen(beats))
      }
      return watch.isSilent('far')
    }
    watch.saw(seen(7))
    expect([await silentAfter(55, 7), await silentAfter(5, 7)]).toEqual([false, true])
    expect([await silentAfter(60, 8), await silentAfter(5, 8)]).toEqual([false, true])
    expect(watch.isSilent('never seen')).toBe(false)
  })

  it('starts over after a gap in which the store did not answer, or this process did not ask', async () => {
    const clock = createManualClock()
    const watch = createSilenceWatch(clock)
    watch.saw(seen(0))
    await clock.advance(3_600 * SECOND_MS)
    watch.saw(seen(0))
    expect(watch.isSilent('far')).toBe(false)
    for (let looks = 0; looks < 11; looks++) {
      await clock.advance(5 * SECOND_MS)
      watch.saw(seen(0))
    }
    watch.missed()
    await clock.advance(5 * SECOND_MS)
    watch.saw(seen(0))
    expect(watch.isSilent('far')).toBe(false)
  })

  it('forgets holders that have nothing open any more', async () => {
    const clock = createManualClock()
    const watch = createSilenceWatch(clock)
    watch.saw(seen(0))
    watch.saw([])
    await clock.advance(60 * SECOND_MS)
    expect(watch.isSilent('far')).toBe(false)
  })
})
