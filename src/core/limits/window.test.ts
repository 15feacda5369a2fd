import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimeZone, PERIODS, windowAt } from './window.ts'

const HOUR_MS = 3_600_000
const iso = (ms: number): string => new Date(ms).toISOString()
const windowText = (...args: Parameters<typeof windowAt>): string => {
  const { startMs, endMs } = windowAt(...args)
  return `${iso(startMs)} ${iso(endMs)}`
}

describe('windows', () => {
  it('run from midnight, Monday and the first of the month in UTC', () => {
    const at = Date.UTC(2026, 10, 15, 22, 57, 1)
    expect(windowText('hour', 'UTC', at)).toBe('2026-11-15T22:00:00.000Z 2026-11-15T23:00:00.000Z')
    expect(windowText('day', 'UTC', at)).toBe('2026-11-15T00:00:00.000Z 2026-11-16T00:00:00.000Z')
    expect(windowText('week', 'UTC', at)).toBe('2026-11-09T00:00:00.000Z 2026-11-16T00:00:00.000Z')
    expect(windowText('month', 'UTC', at)).toBe('2026-11-01T00:00:00.000Z 2026-12-01T00:00:00.000Z')
  })

  it('begin at the local midnight of the zone', () => {
    const at = Date.UTC(2026, 10, 15, 23, 30)
    expect(windowText('day', 'Europe/Berlin', at)).toBe('2026-11-15T23:00:00.000Z 2026-11-16T23:00:00.000Z')
    expect(windowText('month', 'America/New_York', at)).toBe('2026-11-01T04:00:00.000Z 2026-12-01T05:00:00.000Z')
  })

  it('have 23 or 25 hours when the clocks change', () => {
    const length = (at: number): number => {
      const { startMs, endMs } = windowAt('day', 'Europe/Berlin', at)
      return (endMs - startMs) / HOUR_MS
    }
    expect(length(Date.UTC(2026, 2, 29, 12))).toBe(23)
    expect(length(Date.UTC(2026, 9, 25, 12))).toBe(25)
    expect(length(Date.UTC(2026, 6, 1, 12))).toBe(24)
  })

  it('are right for a day without a midnight, and for a day that does not exist', () => {
    // Beirut goes from 24:00 to 01:00 on the last Sunday in March; Samoa skipped 2011-12-30.
    expect(windowText('day', 'Asia/Beirut', Date.UTC(2024, 2, 31, 12))).toBe(
      '2024-03-30T22:00:00.000Z 2024-03-31T21:00:00.000Z',
    )
    expect(windowText('day', 'Pacific/Apia', Date.UTC(2011, 11, 30, 9, 59))).toBe(
      '2011-12-29T10:00:00.000Z 2011-12-30T10:00:00.000Z',
    )
  })

  it('contain the instant even if a clock was set back over midnight', () => {
    // St John's went back from 00:01 to 23:01 of the day before.
    for (let minute = 0; minute < 180; minute++) {
      const at = Date.UTC(2010, 10, 7, 1, 30) + minute * 60_000
      const { startMs, endMs } = windowAt('day', 'America/St_Johns', at)
      expect(startMs <= at && at < endMs, iso(at)).toBe(true)
    }
  })

  it('follow each other without gap or overlap in every zone, whatever the clocks do', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'America/Havana', 'Asia/Beirut', 'Asia/Kolkata']
    const zone = fc.constantFrom(...zones, 'Pacific/Apia', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Tehran')
    const at = fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2040, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), zone, at, (per, timeZone, atMs) => {
        const window = windowAt(per, timeZone, atMs)
        expect(window.startMs).toBeLessThanOrEqual(atMs)
        expect(window.endMs).toBeGreaterThan(atMs)
        expect(windowAt(per, timeZone, window.startMs)).toEqual(window)
        expect(windowAt(per, timeZone, window.endMs - 1)).toEqual(window)
        expect(windowAt(per, timeZone, window.endMs).startMs).toBe(window.endMs)
      }),
      { numRuns: 2_000 },
    )
  })

  it('know their zones', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true)
    expect(isTimeZone('Europe/Berlino')).toBe(false)
    expect(isTimeZone('')).toBe(false)
  })
})
