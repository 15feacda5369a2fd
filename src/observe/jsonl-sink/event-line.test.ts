import { describe, expect, it } from 'vitest'
import { eventDraftFixture } from '../../core/events/event.fixture.ts'
import { EVENT_NAMES, type StintEvent } from '../../core/index.ts'
import { eventLine } from './event-line.ts'

const event = (more: Record<string, unknown> = {}) =>
  ({ ...eventDraftFixture('alert_raised', 'run-1', more), seq: 1 }) as unknown as StintEvent

describe('eventLine', () => {
  it.each(EVENT_NAMES)('writes %s as one line that reads back unchanged', (name) => {
    const full = { ...eventDraftFixture(name), seq: 1 } as StintEvent
    const line = eventLine(full)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.parse(line)).toEqual(full)
  })

  it('escapes every kind of line ending inside of a text', () => {
    const message = 'a\nb\r\nc\u2028d\u2029e\u0085f\0g'
    const line = eventLine(event({ message }))
    expect(line.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029\0]/)
    expect(line).toContain('c\\u2028d\\u2029e')
    expect(JSON.parse(line).message).toBe(message)
  })

  it('cuts texts above 4 kB, with a mark, and leaves shorter ones unchanged', () => {
    const cut = JSON.parse(eventLine(event({ message: 'x'.repeat(1_000_000) }))).message
    expect(cut).toHaveLength(4096)
    expect(cut).toMatch(/^x+… \[cut: 1000000 characters\]$/)
    expect(JSON.parse(eventLine(event({ message: 'x'.repeat(4096) }))).message).toBe('x'.repeat(4096))
  })

  it('does not cut a character in two', () => {
    for (const start of ['', 'x']) {
      const cut: string = JSON.parse(eventLine(event({ message: start + '😀'.repeat(5000) }))).message
      expect(cut.replace(/… \[cut.*$/, '')).toMatch(/^x?(?:😀)+$/u)
    }
  })

  it('bounds the length of lists', () => {
    const line = eventLine(event({ message: Array.from({ length: 100_000 }, () => 'xxxxxxxxxx') }))
    expect(line.length).toBeLessThan(4_000_000)
    expect(line).toContain('[cut: too many values]')
  })
})
