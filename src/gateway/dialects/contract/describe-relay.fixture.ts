import { describe, expect, it } from 'vitest'
import type { DialectFixture, RecordedAnswer } from './dialect-fixture.fixture.ts'
import { admitFirst, cutAt, playAnswer, withLineEnds } from './play-answer.fixture.ts'

const MARKUP = 'What I have.\n\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>\n\nWhat is missing.'

export function describeRelay(fixture: DialectFixture): void {
  const { dialect, requestBody, answers, textAnswer, readAnswer, usageTable } = fixture
  const requestFor = (isStream: boolean) => dialect.readRequest(requestBody({ isStream }))
  const bytesOf = (answer: RecordedAnswer, isStream: boolean) => (isStream ? answer.stream : answer.whole)

  for (const isStream of [true, false]) {
    const request = requestFor(isStream)
    const form = isStream ? 'in events' : 'whole'

    describe(`answers ${form}`, () => {
      it.each(answers)('A14: $name passes byte for byte if nothing must change, and is read', async (answer) => {
        const bytes = bytesOf(answer, isStream)
        for (const admitToolCall of [null, async () => true]) {
          for (const places of [[], [7, 11], Array.from({ length: bytes.length }, (_, index) => index)]) {
            const options = { admitToolCall, isEventStream: isStream }
            const played = await playAnswer(dialect, request, cutAt(bytes, places), options)
            expect(played.bytes.equals(bytes)).toBe(true)
            expect(played.reading).toMatchObject({
              isComplete: true,
              hasError: false,
              text: answer.text,
              toolCalls: { passed: answer.calls.length, cut: 0 },
              usage: { usage: answer.usage, anomalies: [] },
            })
          }
        }
      })

      it.each(answers)('I9: $name reaches the client with the first k calls and no more', async (answer) => {
        const bytes = bytesOf(answer, isStream)
        for (let most = 0; most < answer.calls.length; most++) {
          const options = { admitToolCall: admitFirst(most), isEventStream: isStream }
          const played = await playAnswer(dialect, request, cutAt(bytes, [50, 200, 500]), options)
          const seen = readAnswer(played.bytes, isStream)
          expect(seen.calls).toEqual(answer.calls.slice(0, most))
          expect(seen.stop).toBe(most === 0 ? 'end' : 'calls')
          expect(seen.text.startsWith(answer.text)).toBe(true)
          if (most === 0) expect(seen.text).not.toBe('')
          expect(played.reading.toolCalls).toEqual({ passed: most, cut: answer.calls.length - most })
          expect(played.reading.usage).toEqual({ usage: answer.usage, anomalies: [] })
          expect(played.reading.text).toBe(seen.text)
        }
      })

      it.each(answers)('E6: $name passes no call in a closing answer, which still has some text', async (answer) => {
        const bytes = bytesOf(answer, isStream)
        const options = { isClosing: true, isEventStream: isStream }
        const played = await playAnswer(dialect, request, cutAt(bytes, [50, 200]), options)
        const seen = readAnswer(played.bytes, isStream)
        expect(seen.calls).toEqual([])
        expect(seen.text).not.toBe('')
        expect(seen.stop).not.toBe('calls')
        expect(played.reading.toolCalls).toEqual({ passed: 0, cut: answer.calls.length })
      })

      it('E6: stray tool markup never reaches the client, wherever the bytes are cut', async () => {
        const bytes = textAnswer(MARKUP)[isStream ? 'stream' : 'whole']
        for (const places of [[], [bytes.length >> 1], Array.from({ length: bytes.length }, (_, index) => index)]) {
          const options = { isClosing: true, isEventStream: isStream }
          const played = await playAnswer(dialect, request, cutAt(bytes, places), options)
          expect(readAnswer(played.bytes, isStream).text).toBe('What I have.\n\nWhat is missing.')
          expect(played.bytes.includes('tool_call>')).toBe(false)
        }
      })

      it('an answer of nothing but markup stays well-formed', async () => {
        const bytes = textAnswer('<tool_call>\n{"name": "read"}\n</tool_call>')[isStream ? 'stream' : 'whole']
        const options = { isClosing: true, isEventStream: isStream }
        const played = await playAnswer(dialect, request, [bytes], options)
        const seen = readAnswer(played.bytes, isStream)
        expect(seen).toMatchObject({ calls: [], stop: 'end' })
        expect(seen.text).not.toBe('')
        expect(seen.text).not.toContain('tool_call')
      })

      it('a closing answer without markup keeps its text', async () => {
        const said = 'Done: `a < b` and [x].\n\n```ts\nconst x = 1\n```\nEnd.'
        const bytes = textAnswer(said)[isStream ? 'stream' : 'whole']
        const played = await playAnswer(dialect, request, [bytes], { isClosing: true, isEventStream: isStream })
        expect(readAnswer(played.bytes, isStream).text).toBe(said)
        expect(played.reading.text).toBe(said)
      })

      it('I9: a text that must match a schema stays unchanged in the closing answer', async () => {
        const forced = dialect.readRequest(requestBody({ isStream, asksForSchema: true }))
        const said = JSON.stringify({ answer: '<tool_call>{"name": "x"}</tool_call>' })
        const bytes = textAnswer(said)[isStream ? 'stream' : 'whole']
        const played = await playAnswer(dialect, forced, [bytes], { isClosing: true, isEventStream: isStream })
        expect(readAnswer(played.bytes, isStream).text).toBe(said)
      })

      it('I9: a forced call passes in the closing answer, once', async () => {
        const forced = dialect.readRequest(requestBody({ isStream, forcesTool: true }))
        const answer = answers.find(({ calls }) => calls.length > 1)!
        const options = { isClosing: true, isEventStream: isStream }
        const played = await playAnswer(dialect, forced, [bytesOf(answer, isStream)], options)
        expect(readAnswer(played.bytes, isStream).calls).toEqual(answer.calls.slice(0, 1))
      })

      it('a call that could not be decided on is cut', async () => {
        const answer = answers.find(({ calls }) => calls.length > 1)!
        const admitToolCall = async () => {
          throw new Error('the store is away')
        }
        const options = { admitToolCall, isEventStream: isStream }
        const played = await playAnswer(dialect, request, [bytesOf(answer, isStream)], options)
        expect(readAnswer(played.bytes, isStream).calls).toEqual([])
      })
    })
  }

  it('lines that end with CRLF or CR make no difference', async () => {
    const request = requestFor(true)
    for (const answer of answers) {
      for (const lineEnd of ['\r\n', '\r'] as const) {
        const bytes = withLineEnds(answer.stream, lineEnd)
        const same = await playAnswer(dialect, request, cutAt(bytes, [9, 99]), { admitToolCall: async () => true })
        expect(same.bytes.equals(bytes)).toBe(true)
        expect(same.reading.toolCalls.passed).toBe(answer.calls.length)
        expect(same.reading.usage?.usage).toEqual(answer.usage)
        const cut = await playAnswer(dialect, request, cutAt(bytes, [9, 99]), { admitToolCall: admitFirst(1) })
        expect(cut.reading.toolCalls.passed).toBe(Math.min(1, answer.calls.length))
      }
    }
  })

  it.each(usageTable)('I4: $name', async ({ bytes, isStream, reading, partialUsage }) => {
    for (const admitToolCall of [null, async () => true]) {
      const options = { admitToolCall, isEventStream: isStream }
      const played = await playAnswer(dialect, requestFor(isStream), [bytes], options)
      expect(played.reading.usage).toEqual(reading)
      if (partialUsage !== undefined) expect(played.reading.partialUsage).toEqual(partialUsage)
    }
  })
}
