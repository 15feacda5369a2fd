import { describe, expect, it } from 'vitest'
import type { StintEvent } from '../../../src/core/index.ts'
import { startOddUpstream } from './odd-upstream.ts'
import { KEY, type Stage, type StageOptions, startStage } from './stage.ts'

const PATHS = {
  anthropic: 'anthropic/v1/messages',
  chat: 'openai/v1/chat/completions',
  responses: 'openai/v1/responses',
}

function send(stage: Stage, path: keyof typeof PATHS, body: object) {
  return fetch(`${stage.gateway.url}/k/${KEY}/${PATHS[path]}`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
}

const events = (list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`)
const STREAM = { 'content-type': 'text/event-stream' }

/** A stage whose upstream gives this answer, in one piece or as events. */
async function stageWith(answer: object | readonly object[], options: StageOptions = {}) {
  const upstream = await startOddUpstream(
    Array.isArray(answer) ? { headers: STREAM, body: events(answer) } : { body: [JSON.stringify(answer)] },
  )
  const told: StintEvent[] = []
  const stage = await startStage({
    limits: { cost: 1 },
    upstream: { baseUrl: upstream.url },
    onEvent: (event) => void told.push(event),
    ...options,
  })
  return { stage, upstream, told }
}

describe('file searches', () => {
  const calls = [1, 2, 3].map((id) => ({
    type: 'file_search_call',
    id: `fs_${id}`,
    status: 'completed',
    queries: ['a'],
  }))
  const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 }
  const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4.1', output: calls, usage }
  const ask = {
    model: 'gpt-4.1',
    input: 'find',
    max_output_tokens: 100,
    tools: [{ type: 'file_search', vector_store_ids: ['v'] }],
  }
  const tokens = (1_000 * 2 + 100 * 8) * 1_000

  it.each(['whole', 'stream'])('D4: have a fee, which is charged: %s', async (form) => {
    const stream = [
      ...calls.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
      { type: 'response.completed', response },
    ]
    const { stage } = await stageWith(form === 'whole' ? response : stream)
    await (await send(stage, 'responses', { ...ask, stream: form === 'stream' })).text()
    await stage.settle()
    expect((await stage.run.usage()).cost).toMatchObject({ settled: tokens + 3 * 2_500_000, overrun: 0 })
  })

  it('are bounded to what a tenth of the money pays for, and forbidden if that is none', async () => {
    const sentUnder = async (cost: number) => {
      const { stage, upstream } = await stageWith({ ...response, output: [] }, { limits: { cost } })
      await (await send(stage, 'responses', ask)).text()
      const { tools, max_tool_calls, tool_choice } = JSON.parse(upstream.requests[0]!.body)
      return [tools?.length, max_tool_calls, tool_choice]
    }
    expect(await sentUnder(9)).toEqual([1, 5, undefined])
    expect(await sentUnder(0.1)).toEqual([1, 1, undefined])
    expect(await sentUnder(0.02)).toEqual([1, undefined, 'none'])
  })
})

describe('web pages that the provider fetches', () => {
  const fetchTool = (bounds: object) => ({ type: 'web_fetch_20250910', name: 'web_fetch', ...bounds })
  const ask = (bounds: object) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'read it' }],
    tools: [fetchTool(bounds)],
  })
  const answer = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 2 },
  }

  it.each([
    { limits: { cost: 0.5 }, bounds: {}, sent: { max_uses: 2, max_content_tokens: 10_000 } },
    { limits: { cost: 0.5 }, bounds: { max_uses: 1 }, sent: { max_uses: 1, max_content_tokens: 10_000 } },
    {
      limits: { cost: 0.5 },
      bounds: { max_uses: 1, max_content_tokens: 900 },
      sent: { max_uses: 1, max_content_tokens: 900 },
    },
    {
      limits: { cost: 0.5 },
      bounds: { max_uses: 1, max_content_tokens: 125_000 },
      sent: { max_uses: 1, max_content_tokens: 10_000 },
    },
    {
      limits: { cost: 9 },
      bounds: { max_uses: 1, max_content_tokens: 125_000 },
      sent: { max_uses: 1, max_content_tokens: 125_000 },
    },
    { limits: { modelCalls: 9 }, bounds: { max_uses: 1 }, sent: { max_uses: 1 } },
  ])('add no more than is reserved for them: $bounds under $limits', async ({ limits, bounds, sent }) => {
    const { stage, upstream } = await stageWith(answer, { limits })
    await (await send(stage, 'anthropic', ask(bounds))).text()
    expect(JSON.parse(upstream.requests[0]!.body).tools).toEqual([fetchTool(sent)])
  })
})

describe('an answer that names another tier or model', () => {
  const ANSWERS = {
    anthropic: (served: object) => ({
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1_000, output_tokens: 100, ...('usage' in served ? (served.usage as object) : {}) },
      model: 'claude-sonnet-4-5-20250929',
      ...('model' in served ? { model: served.model } : {}),
    }),
    chat: (served: object) => ({
      id: 'c',
      object: 'chat.completion',
      model: 'gpt-4.1-2025-04-14',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      ...served,
    }),
    responses: (served: object) => ({
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'gpt-4.1-2025-04-14',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }],
      usage: { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
      ...served,
    }),
  }
  const REQUESTS = {
    anthropic: { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    chat: { model: 'gpt-4.1', max_completion_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    responses: { model: 'gpt-4.1', max_output_tokens: 100, input: 'hi' },
  }
  const SONNET = (1_000 * 3 + 100 * 15) * 1_000
  const GPT = (1_000 * 2 + 100 * 8) * 1_000

  it.each([
    { path: 'anthropic', served: {}, cost: SONNET, told: 0 },
    { path: 'anthropic', served: { model: 'claude-opus-4-1' }, cost: 5 * SONNET, told: 1 },
    { path: 'anthropic', served: { usage: { inference_geo: 'us' } }, cost: 1.1 * SONNET, told: 1 },
    {
      path: 'anthropic',
      served: { usage: { inference_geo: 'not_available', service_tier: 'priority' } },
      cost: SONNET,
      told: 0,
    },
    { path: 'chat', served: {}, cost: GPT, told: 0 },
    { path: 'chat', served: { service_tier: 'priority' }, cost: 1.75 * GPT, told: 1 },
    { path: 'chat', served: { service_tier: 'on_demand' }, cost: GPT, told: 0 },
    { path: 'chat', served: { model: 'gpt-5-pro' }, cost: (1_000 * 15 + 100 * 120) * 1_000, told: 1 },
    { path: 'responses', served: { service_tier: 'default' }, cost: GPT, told: 0 },
    { path: 'responses', served: { service_tier: 'priority' }, cost: 1.75 * GPT, told: 1 },
    { path: 'responses', served: { model: 'gpt-5-pro' }, cost: (1_000 * 15 + 100 * 120) * 1_000, told: 1 },
  ] as const)(
    'D4: $path $served is charged at the more expensive of both, and reported',
    async ({ path, served, cost, told }) => {
      const { stage, told: events } = await stageWith(ANSWERS[path](served))
      await (await send(stage, path, REQUESTS[path])).text()
      await stage.settle()
      expect((await stage.run.usage()).cost.settled).toBe(Math.round(cost))
      expect(events.filter(({ event }) => event === 'usage_anomaly')).toHaveLength(told)
    },
  )

  it('is read from a stream, too', async () => {
    const { stage } = await stageWith([
      {
        ...ANSWERS.chat({}),
        object: 'chat.completion.chunk',
        usage: null,
        choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }],
        service_tier: 'priority',
      },
      {
        id: 'c',
        object: 'chat.completion.chunk',
        model: 'gpt-4.1',
        choices: [],
        usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      },
    ])
    await (await send(stage, 'chat', { ...REQUESTS.chat, stream: true })).text()
    await stage.settle()
    expect((await stage.run.usage()).cost.settled).toBe(1.75 * GPT)
  })
})

describe('input that is not in the text', () => {
  const tools = [
    { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'bash_20250124', name: 'bash' },
  ]
  const counted = 346 + 735 + 480 + 700 + 245 + 20

  it('D3: the prompt for tools and the tools that the provider defines are reserved', async () => {
    const usage = { input_tokens: counted, output_tokens: 100 }
    const body = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], tools }
    const answer = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage,
    }
    const { stage, upstream } = await stageWith(answer, { limits: { tokens: 5_000 }, wrapUp: false })
    expect((await send(stage, 'anthropic', body)).status).toBe(200)
    await stage.settle()
    expect((await stage.run.usage()).tokens).toMatchObject({ settled: counted + 100, overrun: 0 })
    const tight = await stageWith(answer, { limits: { tokens: 2_200 } })
    expect((await send(tight.stage, 'anthropic', body)).status).toBe(402)
    expect(upstream.requests).toHaveLength(1)
    expect(tight.upstream.requests.map(({ path }) => path)).toEqual(['/v1/messages/count_tokens'])
  })
})
