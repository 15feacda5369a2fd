import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admitFirst, cutAt, dataIn, playAnswer } from '../contract/play-answer.fixture.ts'
import type { RelayOptions } from '../dialect.ts'
import { EMPTIED_ANSWER } from '../shared/answer/index.ts'
import { openAiChat } from './index.ts'
import { AGENT_REQUEST, callAnswer, callStream, choice, chunk, endOfStream, USAGE } from './openai-chat.fixture.ts'
import { readRequest } from './read-request.ts'

const admit = (most: number, asked?: string[]) => ({ admitToolCall: admitFirst(most, asked) })

async function relayed(stream: string, options: Partial<RelayOptions> = {}, request: object = {}, cuts: number[] = []) {
  const wire = readRequest(Buffer.from(JSON.stringify({ ...AGENT_REQUEST, ...request })))
  const { bytes, reading } = await playAnswer(openAiChat, wire, cutAt(Buffer.from(stream), cuts), options)
  return { text: bytes.toString(), reading, events: dataIn(bytes) }
}

function callIds(events: readonly { choices: { delta: { tool_calls?: { id?: string }[] } }[] }[]) {
  return events
    .flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []))
    .flatMap(({ id }) => id ?? [])
}

describe('a chat stream', () => {
  it('A14: passes byte for byte if nothing must change', async () => {
    const stream = `: comment\r\n\r\n${callStream(3, 'Let me see.')}${endOfStream()}`
    const { text, reading } = await relayed(stream)
    expect(text).toBe(stream)
    expect(reading).toMatchObject({
      usage: {
        usage: { inputTokens: 40, cacheReadTokens: 60, outputTokens: 20, reasoningTokens: 8 },
        anomalies: [],
      },
      partialUsage: null,
      toolCalls: { passed: 3, cut: 0 },
      text: 'Let me see.',
      isComplete: true,
      isCutByCap: false,
      hasError: false,
    })
    expect((await relayed(stream, admit(3))).text).toBe(stream)
  })

  it('A14: loses the usage chunk that only we asked for, and the fields that come with it', async () => {
    const asked = callStream(1, 'Hi.').replaceAll(']}\n\n', '],"usage":null}\n\n') + endOfStream()
    const { text, reading } = await relayed(asked, { hidesUsage: true })
    expect(text).toBe(`${callStream(1, 'Hi.')}data: [DONE]\n\n`)
    expect(reading.usage?.usage?.outputTokens).toBe(20)
  })

  it('I9: with five calls and two left, reaches the client with the first two', async () => {
    const asked: string[] = []
    const { events, reading } = await relayed(callStream(5) + endOfStream(), admit(2, asked))
    expect(callIds(events)).toEqual(['call_0', 'call_1'])
    expect(asked).toEqual(['call_0', 'call_1', 'call_2'])
    expect(events.at(-2)?.choices[0].finish_reason).toBe('tool_calls')
    expect(events.at(-1)?.usage).toEqual(USAGE)
    expect(reading.toolCalls).toEqual({ passed: 2, cut: 3 })
  })

  it('with none left, ends like an answer without calls, and says why it is empty', async () => {
    const { events } = await relayed(callStream(2) + endOfStream(), admit(0))
    expect(callIds(events)).toEqual([])
    expect(events.at(-2)?.choices[0]).toMatchObject({ finish_reason: 'stop', delta: { content: EMPTIED_ANSWER } })
    const spoken = await relayed(callStream(2, 'Some text.') + endOfStream(), admit(0))
    expect(spoken.text).not.toContain(EMPTIED_ANSWER)
    expect(spoken.reading.text).toBe('Some text.')
  })

  it('is cut over all choices together', async () => {
    const call = (index: number, id: string) =>
      choice({ tool_calls: [{ index: 0, id, function: { name: 'f' } }] }, null, index)
    const stream = chunk([call(0, 'a'), call(1, 'b')]) + chunk([call(2, 'c')])
    const ends = [0, 1, 2].map((index) => chunk([choice({}, 'tool_calls', index)])).join('')
    const { events, reading } = await relayed(stream + ends, admit(1), { n: 3 })
    expect(callIds(events)).toEqual(['a'])
    expect(events.slice(-3).map(({ choices }) => choices[0].finish_reason)).toEqual(['tool_calls', 'stop', 'stop'])
    expect(reading).toMatchObject({ toolCalls: { passed: 1, cut: 2 }, isComplete: true })
  })

  it('counts calls with the same index by their ids, and each call without an id once', async () => {
    const call = (entry: object) => chunk([choice({ tool_calls: [entry] })])
    const shared =
      call({ index: 0, id: 'a', function: { name: 'f' } }) + call({ index: 0, id: 'b', function: { name: 'g' } })
    expect(callIds((await relayed(shared, admit(1))).events)).toEqual(['a'])
    const asked: string[] = []
    const bare = call({ index: 0, function: { name: 'f' } }) + call({ index: 1, function: { name: 'g' } })
    await relayed(bare + call({ index: 1, function: { arguments: '{}' } }), admit(9, asked))
    expect(asked).toEqual(['chatcmpl-1/0/0', 'chatcmpl-1/0/1'])
  })

  it('cuts function calls of the old kind', async () => {
    const stream =
      chunk([choice({ role: 'assistant', function_call: { name: 'f', arguments: '' } })]) +
      chunk([choice({ function_call: { arguments: '{}' } })]) +
      chunk([choice({}, 'function_call')])
    expect((await relayed(stream, admit(1))).text).toBe(stream)
    const { text, events } = await relayed(stream, admit(0))
    expect(text).not.toContain('function_call')
    expect(events.at(-1)?.choices[0].finish_reason).toBe('stop')
  })

  it('E: has neither calls nor markup in a closing answer, and all of its other text', async () => {
    const stream = callStream(
      1,
      'Half is done. <tool_call>{"name":"x","arguments":{}}</tool_call> The rest is missing.',
    )
    const { events, reading } = await relayed(stream + endOfStream(), { isClosing: true })
    expect(callIds(events)).toEqual([])
    expect(reading.text).toBe('Half is done. The rest is missing.')
    expect(events.at(-2)?.choices[0].finish_reason).toBe('stop')
    const said = events.flatMap(({ choices }) => choices).map(({ delta }) => delta.content ?? '')
    expect(said.join('')).toBe(reading.text)
  })

  it('sends what a closing answer held back when it is cut off', async () => {
    const stream = chunk([choice({ content: 'a [TOOL' })])
    expect((await relayed(stream, { isClosing: true })).reading.text).toBe('a')
    const cut = await relayed(`${chunk([choice({ content: 'see `code' })])}data: [DONE]\n\n`, { isClosing: true })
    expect(cut.reading.text).toBe('see `code')
    expect(cut.text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('I9: passes a forced call in the closing answer, once', async () => {
    const forced = { tool_choice: 'required' }
    const { events } = await relayed(callStream(3) + endOfStream(), { isClosing: true }, forced)
    expect(callIds(events)).toEqual(['call_0'])
    expect(events.at(-2)?.choices[0].finish_reason).toBe('tool_calls')
  })

  it('recognizes an answer cut by its cap, and an error inside the stream', async () => {
    const capped = await relayed(chunk([choice({ content: 'a' })]) + chunk([choice({}, 'length')]))
    expect(capped.reading).toMatchObject({ isCutByCap: true, isComplete: true, usage: null })
    const failed = await relayed(`${chunk([choice({ content: 'a' })])}data: {"error":{"message":"no"}}\n\n`)
    expect(failed.reading).toMatchObject({ hasError: true, isComplete: false })
  })

  it('cuts a call that could not be decided on', async () => {
    const admitToolCall = () => Promise.reject(new Error('the ledger is away'))
    expect(callIds((await relayed(callStream(2), { admitToolCall })).events)).toEqual([])
  })

  it('never passes more than k calls and never throws, however the stream is mangled and split', async () => {
    const pieces = (callStream(4, 'Some text.') + endOfStream()).split(/(?<=\n\n)/)
    const mangled = fc.array(fc.nat(pieces.length - 1), { maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(
        mangled,
        fc.nat(3),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.boolean(),
        async (order, most, cuts, isCrlf) => {
          const stream = order.map((index) => pieces[index]).join('')
          const { events, reading } = await relayed(
            isCrlf ? stream.replaceAll('\n', '\r\n') : stream,
            admit(most),
            {},
            cuts,
          )
          const ids = new Set(callIds(events))
          expect(ids.size).toBeLessThanOrEqual(most)
          expect(reading.toolCalls.passed).toBeLessThanOrEqual(most)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives the same result wherever its bytes are split', async () => {
    const stream = callStream(2, 'Grüße —') + endOfStream()
    const whole = await relayed(stream, admit(1))
    for (let cut = 0; cut < Buffer.byteLength(stream); cut++) {
      const split = await relayed(stream, admit(1), {}, [cut])
      expect(split.text).toBe(whole.text)
      expect(split.reading).toEqual(whole.reading)
    }
  })
})

describe('a whole chat answer', () => {
  const whole = (text: string, options: Partial<RelayOptions> = {}, request: object = {}) =>
    relayed(text, { isEventStream: false, ...options }, request)

  it('A14: passes byte for byte if nothing must change', async () => {
    const answer = callAnswer(2, 'Hi.')
    for (const options of [{}, admit(2), { hidesUsage: true }]) {
      const { text, reading } = await whole(answer, options)
      expect(text).toBe(answer)
      expect(reading).toMatchObject({ text: 'Hi.', isComplete: true, toolCalls: { passed: 2, cut: 0 } })
      expect(reading.usage?.usage?.outputTokens).toBe(20)
    }
  })

  it('I9: is cut to the calls that are left', async () => {
    const { text, reading } = await whole(callAnswer(5), admit(2))
    const { message, finish_reason: reason } = JSON.parse(text).choices[0]
    expect(message.tool_calls.map(({ id }: { id: string }) => id)).toEqual(['call_0', 'call_1'])
    expect(reason).toBe('tool_calls')
    expect(reading.toolCalls).toEqual({ passed: 2, cut: 3 })
  })

  it('ends like an answer without calls if none is left', async () => {
    const { text } = await whole(callAnswer(2), { isClosing: true })
    const { message, finish_reason: reason } = JSON.parse(text).choices[0]
    expect(message).toEqual({ role: 'assistant', content: EMPTIED_ANSWER, refusal: null })
    expect(reason).toBe('stop')
    const stripped = await whole(callAnswer(0, 'Done. <invoke name="x"></invoke>'), { isClosing: true })
    expect(JSON.parse(stripped.text).choices[0].message.content).toBe('Done.')
  })

  it('skips a byte order mark, as clients do, and passes what is not JSON', async () => {
    expect(JSON.parse((await whole(`\ufeff${callAnswer(2)}`, admit(0))).text).choices[0].message).not.toHaveProperty(
      'tool_calls',
    )
    expect((await whole('<html>', admit(0))).text).toBe('<html>')
  })
})

describe('I4: the usage of a chat answer', () => {
  const chunks = (usage: unknown) => chunk([choice({ content: 'a' }, 'stop')]) + chunk([], { usage })
  const ON_THE_WAY = (completion: number, reason: string | null) =>
    chunk([choice({ content: 'a' }, reason)], {
      usage: { prompt_tokens: 10, completion_tokens: completion, total_tokens: 10 + completion },
    })
  const DONE = 'data: [DONE]\n\n'
  const plain = { inputTokens: 10, outputTokens: 5 }
  // usage: what is charged; null: the reserved worst case. partial: what is known of an answer that did not end.
  const TABLE: readonly (readonly [string, string, { usage: object | null; partial?: object; anomaly?: string }])[] = [
    ['missing', chunk([choice({ content: 'a' }, 'stop')]) + DONE, { usage: null }],
    ['null', chunks(null) + DONE, { usage: null }],
    ['exact', chunks({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }) + DONE, { usage: plain }],
    ['negative', chunks({ prompt_tokens: 10, completion_tokens: -5 }), { usage: null, anomaly: 'completion_tokens' }],
    ['a text', chunks({ prompt_tokens: '10', completion_tokens: 5 }), { usage: null, anomaly: 'prompt_tokens' }],
    ['a fraction', chunks({ prompt_tokens: 10.5, completion_tokens: 5 }), { usage: null, anomaly: 'prompt_tokens' }],
    ['above 2^53', chunks({ prompt_tokens: 1e17, completion_tokens: 5 }), { usage: null, anomaly: 'prompt_tokens' }],
    ['half of it', chunks({ prompt_tokens: 10 }), { usage: null, anomaly: 'completion_tokens' }],
    ['a list', chunks([10, 5]), { usage: null, anomaly: 'prompt_tokens' }],
    [
      'repeated: once',
      chunks({ prompt_tokens: 10, completion_tokens: 5 }) +
        chunk([], { usage: { prompt_tokens: 10, completion_tokens: 5 } }) +
        DONE,
      { usage: plain },
    ],
    [
      'cumulative: the last',
      ON_THE_WAY(1, null) + ON_THE_WAY(3, null) + ON_THE_WAY(5, 'stop') + DONE,
      { usage: plain },
    ],
    [
      'cumulative, cut off',
      ON_THE_WAY(1, null) + ON_THE_WAY(3, null),
      { usage: null, partial: { inputTokens: 10, outputTokens: 3 } },
    ],
    ['cut off before it', chunk([choice({ content: 'a' })]), { usage: null }],
    ['cut off in it', chunks({ prompt_tokens: 10, completion_tokens: 5 }).slice(0, -20), { usage: null }],
    [
      "DeepSeek's cache hits",
      chunks({ prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 }) +
        DONE,
      { usage: { inputTokens: 2, cacheReadTokens: 8, outputTokens: 5 } },
    ],
    [
      'more cached than sent',
      chunks({ prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 11 } }),
      { usage: null, anomaly: 'prompt_tokens' },
    ],
    [
      'reasoning beside the completion',
      chunks({
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 22,
        completion_tokens_details: { reasoning_tokens: 7 },
      }),
      { usage: { inputTokens: 10, outputTokens: 12, reasoningTokens: 7 } },
    ],
  ]

  it.each(TABLE)('%s', async (_, stream, { usage, partial, anomaly }) => {
    const { reading } = await relayed(stream)
    if (usage === null) expect(reading.usage?.usage ?? null).toBeNull()
    else expect(reading.usage?.usage).toMatchObject(usage)
    if (partial === undefined) expect(reading.partialUsage).toBeNull()
    else expect(reading.partialUsage).toMatchObject(partial)
    expect(reading.usage?.anomalies.map(({ field }) => field) ?? []).toEqual(anomaly === undefined ? [] : [anomaly])
  })
})
