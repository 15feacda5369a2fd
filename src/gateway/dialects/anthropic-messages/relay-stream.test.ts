import { describe, expect, it } from 'vitest'
import { admitFirst, playAnswer } from '../contract/play-answer.fixture.ts'
import { anthropicFixture, requestBody } from './anthropic-messages.fixture.ts'
import { anthropicMessages } from './index.ts'

const request = anthropicMessages.readRequest(requestBody({ isStream: true }))
const event = (data: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const play = (events: readonly string[], most: number) =>
  playAnswer(anthropicMessages, request, [Buffer.from(events.join(''))], { admitToolCall: admitFirst(most) })

describe('a stream of messages', () => {
  it('drops the input of a call without a start, once calls are cut', async () => {
    const start = event({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'a', name: 'b' },
    })
    const lost = event({
      type: 'content_block_delta',
      index: 4,
      delta: { type: 'input_json_delta', partial_json: '{' },
    })
    expect((await play([start, lost], 0)).bytes.toString()).toBe('')
    expect((await play([start, lost], 1)).bytes.toString()).toBe(start + lost)
  })

  it('admits no call through the start of the message', async () => {
    const call = { type: 'tool_use', id: 'a', name: 'b', input: {} }
    const start = event({ type: 'message_start', message: { id: 'm', content: [call], usage: { input_tokens: 3 } } })
    const played = await play([start], 5)
    expect(played.bytes.includes('tool_use')).toBe(false)
    expect(played.bytes.includes('"content":[]')).toBe(true)
  })

  it('passes an event that is too large to read only if nothing can be cut', async () => {
    const large = Buffer.from(`data: ${'x'.repeat(17 * 1024 * 1024)}\n\n`)
    const watched = await playAnswer(anthropicMessages, request, [large])
    expect(watched.bytes.length).toBe(large.length)
    const cut = await playAnswer(anthropicMessages, request, [large], { admitToolCall: admitFirst(9) })
    expect(cut.bytes.length).toBe(0)
  })

  it('counts provider-run calls, by the provider’s own count if it gives one', async () => {
    const search = anthropicFixture.answers.find(({ name }) => name.includes('search'))!
    const { reading } = await playAnswer(anthropicMessages, request, [search.stream])
    expect(reading).toMatchObject({ providerToolCalls: 1, webSearches: 1, toolCalls: { passed: 0, cut: 0 } })
    const counted = event({
      type: 'message_delta',
      delta: { stop_reason: 'max_tokens' },
      usage: { output_tokens: 3, server_tool_use: { web_search_requests: 4, web_fetch_requests: 2 } },
    })
    const told = await playAnswer(anthropicMessages, request, [Buffer.from(counted)])
    expect(told.reading).toMatchObject({ providerToolCalls: 6, webSearches: 4, isCutByCap: true })
  })

  it('reports an error in the middle', async () => {
    const { reading } = await play([event({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })], 1)
    expect(reading).toMatchObject({ hasError: true, isComplete: false, usage: null })
  })
})
