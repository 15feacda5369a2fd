import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admitFirst, cutAt, dataIn, playAnswer, type Seen } from '../contract/play-answer.fixture.ts'
import type { RelayOptions } from '../dialect.ts'
import { EMPTIED_ANSWER } from '../shared/answer/index.ts'
import { openAiResponses } from './index.ts'
import {
  AGENT_REQUEST,
  eventsOf,
  responseOf,
  type ScriptedOutput,
  streamOf,
  USAGE,
} from './openai-responses.fixture.ts'
import { readRequest } from './read-request.ts'

const admit = (most: number, asked?: string[]) => ({ admitToolCall: admitFirst(most, asked) })

async function relayed(stream: string, options: Partial<RelayOptions> = {}, request: object = {}, cuts: number[] = []) {
  const wire = readRequest(Buffer.from(JSON.stringify({ ...AGENT_REQUEST, ...request })))
  const { bytes, reading } = await playAnswer(openAiResponses, wire, cutAt(Buffer.from(stream), cuts), options)
  return { text: bytes.toString(), reading, events: dataIn(bytes) }
}

const streamed = (script: ScriptedOutput, options: Partial<RelayOptions> = {}, request: object = {}) =>
  relayed(streamOf(eventsOf(script)), options, request)

const callIds = (events: readonly Seen[]): readonly string[] =>
  events.filter(({ type }) => type === 'response.output_item.added').flatMap(({ item }) => item.call_id ?? [])

/**
 * What every stream must keep: sequence numbers and indexes without gaps, and the same items at the end as along the
 * way.
 */
function expectWellFormed(events: readonly Seen[]): void {
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
  const added = events.filter(({ type }) => type === 'response.output_item.added')
  expect(added.map(({ output_index: place }) => place)).toEqual(added.map((_, index) => index))
  const { output } = events.at(-1).response
  expect(output.map(({ id }: { id: string }) => id)).toEqual(added.map(({ item }) => item.id))
  const done = events.filter(({ type }) => type === 'response.output_item.done')
  expect(done.map(({ item }) => item)).toEqual(output)
  for (const { output_index: place, item_id: id } of events) if (id !== undefined) expect(output[place].id).toBe(id)
}

describe('a responses stream', () => {
  it('A14: passes byte for byte if nothing must change', async () => {
    const stream = streamOf(eventsOf({ text: 'Let me see.', calls: 3 }))
    for (const options of [{}, admit(3), { hidesUsage: true }]) {
      const { text, reading } = await relayed(stream, options)
      expect(text).toBe(stream)
      expect(reading).toMatchObject({
        answerId: 'resp_1',
        usage: { usage: { inputTokens: 40, cacheReadTokens: 60, outputTokens: 20, reasoningTokens: 8 } },
        partialUsage: null,
        toolCalls: { passed: 3, cut: 0 },
        text: 'Let me see.',
        isComplete: true,
        isCutByCap: false,
        hasError: false,
      })
    }
  })

  it('I9: with five calls and two left, reaches the client with the first two, renumbered, even at its end', async () => {
    const asked: string[] = []
    const last = { id: 'msg_9', type: 'message', role: 'assistant', status: 'completed', content: [] }
    const { events, reading } = await streamed({ text: 'Hm.', calls: 5, more: [last] }, admit(2, asked))
    expect(callIds(events)).toEqual(['call_0', 'call_1'])
    expect(asked).toEqual(['call_0', 'call_1', 'call_2'])
    expectWellFormed(events)
    expect(events.at(-1).response.output.map(({ type }: { type: string }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'custom_tool_call',
      'message',
    ])
    expect(reading.toolCalls).toEqual({ passed: 2, cut: 3 })
  })

  it.each([
    { type: 'local_shell_call', id: 'x', call_id: 'c', action: {}, status: 'completed' },
    { type: 'shell_call', id: 'x', call_id: 'c', action: {}, environment: { type: 'local' } },
    { type: 'apply_patch_call', id: 'x', call_id: 'c', operation: {}, status: 'completed' },
    { type: 'computer_call', id: 'x', call_id: 'c', action: {}, status: 'completed' },
    { type: 'tool_search_call', id: 'x', call_id: 'c', execution: 'client', arguments: {} },
  ])('counts %j as a call of the client', async (item) => {
    const { events, reading } = await streamed({ more: [item] }, admit(0))
    expect(callIds(events)).toEqual([])
    expect(reading.toolCalls).toEqual({ passed: 0, cut: 1 })
    expectWellFormed(events)
  })

  it('counts provider-run calls, and only actual searches as searches', async () => {
    const more = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
      { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'b' } },
      { type: 'mcp_call', id: 'mcp_1', name: 'n', arguments: '{}', server_label: 's' },
      { type: 'shell_call', id: 'sh_1', call_id: 'c', environment: { type: 'container_reference', container_id: 'k' } },
      { type: 'mcp_list_tools', id: 'l', server_label: 's', tools: [] },
    ]
    const { reading } = await streamed({ more }, admit(0))
    expect(reading).toMatchObject({ providerToolCalls: 4, webSearches: 1, toolCalls: { passed: 0, cut: 0 } })
  })

  it('says why an answer is empty if all its calls are cut, in every place that repeats the text', async () => {
    const { events, reading } = await streamed({ calls: 2 }, { isClosing: true })
    expectWellFormed(events)
    expect(reading.text).toBe(EMPTIED_ANSWER)
    expect(events.at(-1).response.output.at(-1).content[0].text).toBe(EMPTIED_ANSWER)
  })

  it('E: has neither calls nor markup in a closing answer, in every place that repeats the text', async () => {
    const text = 'Half is done. <tool_call>{"name":"x","arguments":{}}</tool_call> The rest is missing.'
    const plain = 'Half is done. The rest is missing.'
    const { events, reading, text: sent } = await streamed({ text, calls: 1 }, { isClosing: true })
    expect(sent).not.toContain('tool_call')
    expect(sent).not.toContain('function_call"')
    expectWellFormed(events)
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
    expect(deltas.map(({ delta }) => delta).join('')).toBe(plain)
    expect(events.find(({ type }) => type === 'response.output_text.done').text).toBe(plain)
    expect(events.find(({ type }) => type === 'response.content_part.done').part.text).toBe(plain)
    expect(events.at(-1).response.output[1].content[0].text).toBe(plain)
    expect(reading.text).toBe(plain)
  })

  it('I9: passes a forced call in the closing answer, once', async () => {
    const { events } = await streamed({ calls: 3 }, { isClosing: true }, { tool_choice: 'required' })
    expect(callIds(events)).toEqual(['call_0'])
    expectWellFormed(events)
  })

  it('cuts a call that arrives in pieces without its item, and one that only the last event lists', async () => {
    const pieces = eventsOf({ calls: 1 }).filter(({ type }) => type !== 'response.output_item.added')
    const { text } = await relayed(streamOf(pieces), admit(0))
    expect(text).not.toContain('function_call')
    const listed = eventsOf({ calls: 1 }).filter(({ type }) => String(type).split('.').length < 3)
    expect((await relayed(streamOf(listed), admit(0))).text).not.toContain('call_0')
  })

  it('identifies an item by its index if its id changes from event to event', async () => {
    const events = eventsOf({ calls: 2 }).map((event, index) => {
      const item = event.item === undefined ? {} : { item: { ...(event.item as object), id: `random_${index}` } }
      return { ...event, ...(event.item_id === undefined ? {} : { item_id: `random_${index}` }), ...item }
    })
    const asked: string[] = []
    const { text, reading } = await relayed(streamOf(events), admit(1, asked))
    expect(asked).toEqual(['call_0', 'call_1'])
    expect(text).not.toContain('call_1')
    expect(reading.toolCalls).toEqual({ passed: 1, cut: 1 })
  })

  it('recognizes an answer cut by its cap, one that failed, and an error inside the stream', async () => {
    const incomplete = await streamed({
      end: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    })
    expect(incomplete.reading).toMatchObject({
      isCutByCap: true,
      isComplete: true,
      usage: { usage: { outputTokens: 20 } },
    })
    const failed = await streamed({
      end: 'response.failed',
      response: { error: { code: 'server_error', message: 'no' } },
    })
    expect(failed.reading).toMatchObject({ hasError: true, isComplete: false, usage: { usage: { outputTokens: 20 } } })
    const error = await relayed(
      'event: error\ndata: {"type":"error","code":"x","message":"no","sequence_number":0}\n\n',
    )
    expect(error.reading).toMatchObject({ hasError: true, isComplete: false, usage: null })
  })

  it('never passes more than k calls and never throws, however the stream is mangled and split', async () => {
    const events = eventsOf({ text: 'Some text.', calls: 4 })
    const mangled = fc.array(fc.nat(events.length - 1), { maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(
        mangled,
        fc.nat(3),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.boolean(),
        async (order, most, cuts, isCrlf) => {
          const stream = streamOf(order.map((index) => events[index]!))
          const { text } = await relayed(isCrlf ? stream.replaceAll('\n', '\r\n') : stream, admit(most), {}, cuts)
          const seen = new Set(text.match(/call_\d/g))
          expect(seen.size).toBeLessThanOrEqual(most)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives the same result wherever its bytes are split', async () => {
    const stream = streamOf(eventsOf({ text: 'Grüße', calls: 2 }))
    const whole = await relayed(stream, admit(1))
    for (let cut = 0; cut < Buffer.byteLength(stream); cut += 3) {
      expect((await relayed(stream, admit(1), {}, [cut])).text).toBe(whole.text)
    }
  })
})

describe('a whole responses answer', () => {
  const whole = (script: ScriptedOutput, options: Partial<RelayOptions> = {}) =>
    relayed(JSON.stringify(responseOf(script), null, 1), { isEventStream: false, ...options })

  it('A14: passes byte for byte if nothing must change', async () => {
    for (const options of [{}, admit(2)]) {
      const { text, reading } = await whole({ text: 'Hi.', calls: 2 }, options)
      expect(text).toBe(JSON.stringify(responseOf({ text: 'Hi.', calls: 2 }), null, 1))
      expect(reading).toMatchObject({
        text: 'Hi.',
        isComplete: true,
        toolCalls: { passed: 2, cut: 0 },
        answerId: 'resp_1',
      })
      expect(reading.usage?.usage?.outputTokens).toBe(20)
    }
  })

  it('I9: is cut to the calls that are left', async () => {
    const { text, reading } = await whole({ calls: 5 }, admit(2))
    expect(JSON.parse(text).output.flatMap(({ call_id: id }: { call_id?: string }) => id ?? [])).toEqual([
      'call_0',
      'call_1',
    ])
    expect(reading.toolCalls).toEqual({ passed: 2, cut: 3 })
  })

  it('still has some text if nothing is left', async () => {
    const { text } = await whole({ calls: 2 }, { isClosing: true })
    expect(JSON.parse(text).output.at(-1).content[0].text).toBe(EMPTIED_ANSWER)
    const stripped = await whole({ text: 'Done. <invoke name="x"></invoke>' }, { isClosing: true })
    expect(JSON.parse(stripped.text).output.at(-1).content[0].text).toBe('Done.')
    expect(stripped.reading.text).toBe('Done.')
  })
})

describe('I4: the usage of a responses answer', () => {
  const plain = { inputTokens: 10, outputTokens: 5 }
  const used = (usage: unknown, more: ScriptedOutput = {}) => streamOf(eventsOf({ usage, text: 'a', ...more }))
  const onTheWay = (output_tokens: number) =>
    streamOf([
      {
        type: 'response.in_progress',
        response: { id: 'r', status: 'in_progress', usage: { input_tokens: 10, output_tokens } },
      },
    ])
  const TABLE: readonly (readonly [string, string, { usage: object | null; partial?: object; anomaly?: string }])[] = [
    ['missing', used(null), { usage: null }],
    ['exact', used({ input_tokens: 10, output_tokens: 5, total_tokens: 15 }), { usage: plain }],
    [
      'of an incomplete answer',
      used({ input_tokens: 10, output_tokens: 5 }, { end: 'response.incomplete' }),
      { usage: plain },
    ],
    ['of a failed answer', used({ input_tokens: 10, output_tokens: 5 }, { end: 'response.failed' }), { usage: plain }],
    ['negative', used({ input_tokens: -1, output_tokens: 5 }), { usage: null, anomaly: 'input_tokens' }],
    ['a text', used({ input_tokens: 10, output_tokens: '5' }), { usage: null, anomaly: 'output_tokens' }],
    ['above 2^53', used({ input_tokens: 10, output_tokens: 1e17 }), { usage: null, anomaly: 'output_tokens' }],
    ['half of it', used({ output_tokens: 5 }), { usage: null, anomaly: 'input_tokens' }],
    ['a number', used(15), { usage: null, anomaly: 'usage' }],
    [
      'a total above its parts',
      used({ input_tokens: 10, output_tokens: 5, total_tokens: 99 }),
      { usage: null, anomaly: 'total_tokens' },
    ],
    [
      'repeated: once',
      used({ input_tokens: 10, output_tokens: 5 }) + used({ input_tokens: 10, output_tokens: 5 }),
      { usage: plain },
    ],
    [
      'cumulative: the last',
      onTheWay(1) + onTheWay(3) + used({ input_tokens: 10, output_tokens: 5 }),
      { usage: plain },
    ],
    ['cumulative, cut off', onTheWay(1) + onTheWay(3), { usage: null, partial: { inputTokens: 10, outputTokens: 3 } }],
    ['cut off before it', streamOf(eventsOf({ text: 'a' }).slice(0, -1)), { usage: null }],
    ['cut off in it', used(USAGE).slice(0, -30), { usage: null }],
    [
      'cache reads and writes',
      used({ input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 } }),
      { usage: { inputTokens: 1, cacheReadTokens: 6, cacheWriteTokens: 3, outputTokens: 5 } },
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
