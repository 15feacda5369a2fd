import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventSplitter, type ServerSentEvent } from './index.ts'

function split(pieces: readonly Buffer[], largestEventBytes?: number): readonly ServerSentEvent[] {
  const splitter = createEventSplitter(largestEventBytes)
  const events = pieces.flatMap((piece) => splitter.push(piece))
  const rest = splitter.end()
  return rest === null ? events : [...events, rest]
}

const bytesOf = (events: readonly ServerSentEvent[]) => Buffer.concat(events.map(({ bytes }) => bytes))
const saidBy = (events: readonly ServerSentEvent[]) =>
  events.flatMap(({ name, data }) => (data === null ? [] : [{ name, data }]))

const STREAM =
  ': hello\n\nevent: first\ndata: {"é":1}\nid: 4\n\ndata:a\ndata: b\n\nretry: 5\n\ndata\n\nevent:x\ndata:  y\n\n'
const SAID = [
  { name: 'first', data: '{"é":1}' },
  { name: '', data: 'a\nb' },
  { name: '', data: '' },
  { name: 'x', data: ' y' },
]

describe('createEventSplitter', () => {
  for (const [lineEnd, name] of [
    ['\n', 'LF'],
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
  ] as const) {
    it(`reads events with line ends ${name}, cut at any two places, and keeps every byte`, () => {
      const bytes = Buffer.from(STREAM.replaceAll('\n', lineEnd))
      for (let first = 0; first <= bytes.length; first++) {
        for (const second of [first, first + 1, first + 2, first + 7]) {
          const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
          const events = split(pieces)
          expect(saidBy(events)).toEqual(SAID)
          expect(bytesOf(events).equals(bytes)).toBe(true)
        }
      }
    })
  }

  it('returns an event as soon as its empty line is there, even if that is half of a CRLF', () => {
    const splitter = createEventSplitter()
    expect(saidBy(splitter.push(Buffer.from('data: 1\r\n\r')))).toEqual([{ name: '', data: '1' }])
    expect(saidBy(splitter.push(Buffer.from('\ndata: 2\r\n\r\n')))).toEqual([{ name: '', data: '2' }])
  })

  it('returns what is left at the end, and skips a byte order mark', () => {
    expect(saidBy(split([Buffer.from('\ufeffdata: 1\n\ndata: 2\n')]))).toEqual([
      { name: '', data: '1' },
      { name: '', data: '2' },
    ])
  })

  it('returns an event above the bound in unread pieces, and reads the next one', () => {
    const bytes = Buffer.from(`data: ${'x'.repeat(100)}\n\ndata: 2\n\n`)
    for (const cut of [10, 50, 60, 107, 108, 109]) {
      const events = split([bytes.subarray(0, cut), bytes.subarray(cut)], 40)
      expect(bytesOf(events).equals(bytes)).toBe(true)
      expect(saidBy(events)).toEqual([{ name: '', data: '2' }])
      expect(events.filter(({ isTooLarge }) => isTooLarge).length).toBeGreaterThan(0)
    }
  })

  it('keeps every byte of any input, and reads the same however it is cut', () => {
    const noise = fc.array(fc.constantFrom('\n', '\r', '\r\n', 'data: 1', 'event: e', ':', 'x', '\u0000', 'é'), {
      maxLength: 25,
    })
    fc.assert(
      fc.property(noise, fc.array(fc.nat(60), { maxLength: 4 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const events = split(pieces)
        expect(bytesOf(events).equals(bytes)).toBe(true)
        expect(saidBy(events)).toEqual(saidBy(split([bytes])))
      }),
      { numRuns: 2_000 },
    )
  })
})
