import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DialectFixture } from './dialect-fixture.fixture.ts'
import { admitFirst, cutAt, eventsIn, playAnswer } from './play-answer.fixture.ts'

/** What can happen to the events of a stream in transit. */
type Mutation =
  | { readonly kind: 'drop'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number }
  | { readonly kind: 'noise'; readonly at: number; readonly text: string }

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), with: fc.nat() }),
  fc.record({
    kind: fc.constant('noise' as const),
    at: fc.nat(),
    text: fc.constantFrom(
      'data: {"broken\n\n',
      'data: null\n\n',
      'data: []\n\n',
      'data: {}\n\n',
      ': comment\n\n',
      '\n',
      'x',
    ),
  }),
)

function mutated(events: readonly string[], mutations: readonly Mutation[]): Buffer {
  const list = [...events]
  for (const change of mutations) {
    const at = change.at % Math.max(1, list.length)
    if (change.kind === 'drop') list.splice(at, 1)
    else if (change.kind === 'repeat') list.splice(at, 0, list[at] ?? '')
    else if (change.kind === 'noise') list.splice(at, 0, change.text)
    else {
      const other = change.with % Math.max(1, list.length)
      ;[list[at], list[other]] = [list[other] ?? '', list[at] ?? '']
    }
  }
  return Buffer.from(list.join(''))
}

export function describeMutations({ dialect, requestBody, answers, countCalls }: DialectFixture): void {
  const request = dialect.readRequest(requestBody({ isStream: true }))
  const answer = fc.constantFrom(...answers)
  const places = fc.array(fc.nat(), { maxLength: 5 })

  describe('damaged streams', () => {
    it('never throw, never pass more than k calls, and pass byte for byte if nothing is cut', async () => {
      const mutations = fc.array(mutation, { maxLength: 6 })
      const property = fc.asyncProperty(
        answer,
        mutations,
        places,
        fc.nat(3),
        fc.nat(),
        async ({ stream }, changes, cuts, most, length) => {
          const whole = mutated(eventsIn(stream), changes)
          const bytes = length % 3 === 0 ? whole.subarray(0, length % (whole.length + 1)) : whole
          const pieces = cutAt(bytes, cuts)
          const watched = await playAnswer(dialect, request, pieces)
          expect(watched.bytes.equals(bytes)).toBe(true)
          const cut = await playAnswer(dialect, request, pieces, { admitToolCall: admitFirst(most) })
          expect(countCalls(cut.bytes, true)).toBeLessThanOrEqual(most)
          expect(cut.reading.toolCalls.passed).toBeLessThanOrEqual(most)
          const closed = await playAnswer(dialect, request, pieces, { isClosing: true })
          expect(countCalls(closed.bytes, true)).toBe(0)
          expect(closed.reading.toolCalls.passed).toBe(0)
        },
      )
      await fc.assert(property, { numRuns: 600 })
    })

    it('cut at any byte are incomplete, with usage that is known completely or not at all', async () => {
      for (const { stream, usage } of answers) {
        for (let length = 0; length < stream.length; length += 3) {
          const { reading } = await playAnswer(dialect, request, [stream.subarray(0, length)], { isClosing: true })
          if (reading.usage !== null) expect(reading.usage.usage).toEqual(usage)
        }
      }
    })

    it('answers that are not JSON, or other JSON, never throw', async () => {
      const anything = fc.oneof(
        fc.json().map((text) => Buffer.from(text)),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      )
      const property = fc.asyncProperty(anything, fc.boolean(), async (bytes, isEventStream) => {
        const watched = await playAnswer(dialect, request, [bytes], { isEventStream })
        expect(watched.bytes.equals(bytes)).toBe(true)
        const options = { isEventStream, admitToolCall: admitFirst(0) }
        const cut = await playAnswer(dialect, request, [bytes], options)
        expect(countCalls(cut.bytes, isEventStream)).toBe(0)
      })
      await fc.assert(property, { numRuns: 500 })
    })
  })
}
