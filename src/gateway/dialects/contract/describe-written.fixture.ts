import { describe, expect, it } from 'vitest'
import { completeUsage } from '../../../pricing/index.ts'
import type { WireError } from '../dialect.ts'
import type { DialectFixture } from './dialect-fixture.fixture.ts'

const KINDS: readonly WireError['kind'][] = [
  'budget',
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'too-large',
  'wait',
  'upstream',
  'internal',
]

export function describeWritten({ dialect, requestBody, readAnswer }: DialectFixture): void {
  describe('what we write ourselves', () => {
    it.each(KINDS)('an error of kind %s has its message in the provider’s format', (kind) => {
      const { error } = JSON.parse(dialect.errorBody({ kind, message: 'No "room".\nStop.' }).toString())
      expect(error).toMatchObject({ message: 'No "room".\nStop.', type: expect.any(String) })
    })

    it.each([true, false])('a short answer is complete and calls no tool (stream: %s)', (isStream) => {
      const request = dialect.readRequest(requestBody({ isStream }))
      const bytes = dialect.shortAnswer(request, 'The run is paused.\n"Resume" it.')
      expect(readAnswer(bytes, isStream)).toEqual({ calls: [], text: 'The run is paused.\n"Resume" it.', stop: 'end' })
    })

    it.each([true, false])('a short answer that replaces a truncated one keeps its usage (stream: %s)', (isStream) => {
      const request = dialect.readRequest(requestBody({ isStream }))
      const usage = completeUsage({ inputTokens: 70, outputTokens: 20, cacheReadTokens: 5 })
      const bytes = dialect.shortAnswer(request, 'Cut.', { answerId: 'answer-1', usage })
      const options = { admitToolCall: null, hidesUsage: false, isClosing: false, isEventStream: isStream }
      const relay = dialect.relayAnswer(request, options)
      relay.push(bytes)
      relay.end()
      expect(bytes.toString()).toContain('"answer-1"')
      const asked = !isStream || !request.hidesUsage
      expect(relay.reading()).toMatchObject({ isComplete: true, isCutByCap: false, text: 'Cut.' })
      if (asked) expect(relay.reading().usage?.usage).toMatchObject(usage)
    })

    it('a stream that began with pings continues with a short answer', () => {
      const request = dialect.readRequest(requestBody({ isStream: true }))
      const bytes = Buffer.concat([dialect.ping(), dialect.ping(), dialect.shortAnswer(request, 'Paused.')])
      expect(readAnswer(bytes, true)).toEqual({ calls: [], text: 'Paused.', stop: 'end' })
    })
  })
}
