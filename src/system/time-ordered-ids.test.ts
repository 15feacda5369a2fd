import { describe, expect, it } from 'vitest'
import { timeOrderedIds } from './time-ordered-ids.ts'

describe('timeOrderedIds', () => {
  it('sorts by time, whatever the random part is', () => {
    const times = [0, 1, 255, 1_794_806_675_308, 1_794_806_675_309, 2 ** 48 - 1]
    const ids = times.map(idAt)
    expect(ids.toSorted()).toEqual(ids)
  })

  it('is a UUID of version 7', () => {
    expect(idAt(1_794_806_675_308)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('never gives the same id twice in a moment', () => {
    const ids = Array.from({ length: 1_000 }, timeOrderedIds({ wallMs: () => 5 }))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([-1, Number.MAX_SAFE_INTEGER, 0.5])('keeps its form for a clock that says %s', (nowMs) => {
    expect(idAt(nowMs)).toHaveLength(36)
  })
})

function idAt(nowMs: number): string {
  return timeOrderedIds({ wallMs: () => nowMs })()
}
