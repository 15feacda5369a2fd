import { describe, expect, it } from 'vitest'
import { emitWholeCap } from '../../../src/testing/provider/index.ts'
import { startOddUpstream } from './odd-upstream.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const PATHS = {
  anthropic: 'anthropic/v1/messages',
  chat: 'openai/v1/chat/completions',
  responses: 'openai/v1/responses',
} as const

function send(stage: Stage, path: keyof typeof PATHS, body: string | object, headers: Record<string, string> = {}) {
  return fetch(`${stage.gateway.url}/k/${KEY}/${PATHS[path]}`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'anthropic-version': '2023-06-01', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 200, messages: [{ role: 'user', content: 'hi' }] }
const GPT = { model: 'gpt-4.1', max_completion_tokens: 200, messages: [{ role: 'user', content: 'hi' }] }
const RESPONSE = { model: 'gpt-4.1', max_output_tokens: 200, input: 'hi' }

describe('overspending', () => {
  it.each([
    {
      what: 'a cap that stands twice',
      path: 'anthropic',
      body: '{"model":"claude-haiku-5-5","max_tokens":1,"max_tokens":9000,"messages":[]}',
    },
    {
      what: 'a cap whose name is escaped',
      path: 'anthropic',
      body: '{"model":"claude-haiku-5-5","max_t\\u006fkens":9000,"max_tokens":1,"messages":[]}',
    },
    {
      what: 'a cap in capitals',
      path: 'chat',
      body: '{"model":"gpt-4.1","max_tokens":1,"Max_Tokens":9000,"messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'choices in capitals',
      path: 'chat',
      body: '{"model":"gpt-4.1","max_tokens":1,"N":100,"messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'a cap with a long s',
      path: 'chat',
      body: '{"model":"gpt-4.1","max_tokens":1,"max_tokenſ":9000,"messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'a cap as a text',
      path: 'anthropic',
      body: '{"model":"claude-haiku-5-5","max_tokens":"9000","messages":[]}',
    },
    {
      what: 'choices as a text',
      path: 'chat',
      body: '{"model":"gpt-4.1","n":"100","messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'choices without end',
      path: 'chat',
      body: '{"model":"gpt-4.1","n":1e9,"messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'arguments that stand twice',
      path: 'chat',
      body: '{"model":"gpt-4.1","messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"long","arguments":""}}]}]}',
    },
    {
      what: 'best_of',
      path: 'chat',
      body: '{"model":"gpt-4.1","best_of":20,"messages":[{"role":"user","content":"hi"}]}',
    },
    {
      what: 'a prediction',
      path: 'chat',
      body: '{"model":"gpt-4.1","prediction":{"type":"content","content":"word word"},"messages":[{"role":"user","content":"hi"}]}',
    },
    { what: 'a stored prompt', path: 'responses', body: '{"model":"gpt-4.1","prompt":{"id":"pmpt_1"}}' },
    {
      what: 'a batch in the background',
      path: 'responses',
      body: '{"model":"gpt-4.1","input":"hi","background":true}',
    },
  ] as const)('$what is refused before a byte goes upstream', async ({ path, body }) => {
    const stage = await startStage({ limits: { cost: 1 } })
    expect((await send(stage, path, body)).status).toBe(400)
    expect(stage.provider.requestCount).toBe(0)
    await stage.settle()
    expect((await stage.run.usage()).cost).toMatchObject({ settled: 0, reserved: 0 })
  })

  it.each([
    { cap: '1e2', most: 100 },
    { cap: '100.0', most: 100 },
    { cap: 'null', most: 300 },
    { cap: '1e5', most: 300 },
  ])('a cap of $cap is read as the provider reads it', async ({ cap, most }) => {
    const stage = await startStage({ limits: { outputTokens: 300 }, script: emitWholeCap() })
    const body = `{"model":"claude-haiku-5-5","max_tokens":${cap},"messages":[{"role":"user","content":"hi"}]}`
    expect((await send(stage, 'anthropic', body)).status).toBe(200)
    await stage.settle()
    expect((await stage.run.usage()).outputTokens).toMatchObject({ settled: most, reserved: 0, overrun: 0 })
  })

  const LONG = 'word '.repeat(20_000)
  it.each([
    {
      what: 'thoughts in a field of their own',
      path: 'chat',
      body: { ...GPT, messages: [{ role: 'assistant', content: 'x', reasoning_content: LONG }] },
    },
    {
      what: 'a part of an unknown kind',
      path: 'chat',
      body: {
        ...GPT,
        messages: [{ role: 'user', content: [{ type: 'thinking', thinking: [{ type: 'text', text: LONG }] }] }],
      },
    },
    {
      what: 'an unknown part of an item',
      path: 'responses',
      body: { ...RESPONSE, input: [{ role: 'user', content: [{ type: 'scroll', scroll: LONG }] }] },
    },
    {
      what: 'arguments that are no text',
      path: 'chat',
      body: {
        ...GPT,
        messages: [
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: { text: LONG } } }],
          },
        ],
      },
    },
    {
      what: 'a text file in base64',
      path: 'responses',
      body: {
        ...RESPONSE,
        input: [
          {
            role: 'user',
            content: [
              {
                type: 'input_file',
                filename: 'a.txt',
                file_data: `data:text/plain;base64,${Buffer.from(LONG).toString('base64')}`,
              },
            ],
          },
        ],
      },
    },
    {
      what: 'a dense text file',
      path: 'chat',
      body: {
        ...GPT,
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'file',
                file: {
                  filename: 'a.txt',
                  file_data: `data:text/plain;base64,${Buffer.from('7 q'.repeat(10_000)).toString('base64')}`,
                },
              },
            ],
          },
        ],
      },
    },
    {
      what: 'a schema of the answer',
      path: 'anthropic',
      body: {
        ...CLAUDE,
        output_config: { format: { type: 'json_schema', schema: { type: 'object', description: LONG } } },
      },
    },
  ] as const)('$what is counted', async ({ path, body }) => {
    const left = await remainingAfter(path, body)
    expect(1_000_000 - left).toBeGreaterThan(20_000)
  })

  it.each([
    {
      what: 'a conversation that somebody else has begun',
      path: 'responses',
      body: { ...RESPONSE, previous_response_id: 'resp_elsewhere' },
    },
    { what: 'a stored conversation', path: 'responses', body: { ...RESPONSE, conversation: 'conv_1' } },
    {
      what: 'a film by its address',
      path: 'chat',
      body: {
        ...GPT,
        messages: [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }] }],
      },
    },
  ] as const)('$what may fill the context of the model', async ({ path, body }) => {
    expect(3_000_000 - (await remainingAfter(path, body, 3_000_000))).toBeGreaterThan(1_000_000)
  })

  it('a cache mark with an escaped name is paid for', async () => {
    const marked = (key: string) =>
      `{"model":"anthropic/claude-sonnet-4-5","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"${LONG}","${key}":{"type":"ephemeral","ttl":"1h"}}]}]}`
    const left: number[] = []
    for (const key of ['cache_control', 'cache_c\\u006fntrol', 'cache_other']) {
      const { url } = await startOddUpstream({ body: ['{}'] })
      const stage = await startStage({ limits: { cost: 1 }, upstream: { baseUrl: url } })
      const answer = await send(stage, 'chat', marked(key))
      left.push(Number(/costNanoUsd=(\d+)/.exec(answer.headers.get('x-stint-remaining') ?? '')?.[1]))
    }
    expect(left[1]).toBe(left[0])
    expect(left[2]).toBeGreaterThan(left[0]!)
  })

  it.each(['priority', 'fast', 'ultra'])('the tier %s is paid for', async (service_tier) => {
    const { url } = await startOddUpstream({ body: ['{}'] })
    const stage = await startStage({ limits: { cost: 1 }, upstream: { baseUrl: url } })
    const plain = await send(stage, 'chat', { ...GPT, service_tier: 'flex' })
    const dear = await send(stage, 'chat', { ...GPT, service_tier })
    const left = [plain, dear].map(({ headers }) =>
      Number(/costNanoUsd=(\d+)/.exec(headers.get('x-stint-remaining') ?? '')?.[1]),
    )
    const first = 1_000_000_000 - left[0]!
    // The first was charged in full, since nothing was said of its usage.
    expect(left[0]! - left[1]!).toBeGreaterThan(1.5 * first)
  })

  it('a model that searches by itself has its search reserved first', async () => {
    const completion = { id: 'c', choices: [{ index: 0, message: { content: 'Found.' }, finish_reason: 'stop' }] }
    const { url, requests } = await startOddUpstream({ body: [JSON.stringify(completion)] })
    for (const model of ['gpt-4o-search-preview', 'openai/gpt-4o:online']) {
      const stage = await startStage({ limits: { toolCalls: 1 }, upstream: { baseUrl: url } })
      const before = requests.length
      for (let round = 0; round < 3; round++) await send(stage, 'chat', { ...GPT, model })
      expect(requests.length - before).toBe(1)
      await stage.settle()
      expect((await stage.run.usage()).toolCalls).toMatchObject({ settled: 1, reserved: 0, overrun: 0 })
    }
  })

  it.each([
    {
      what: 'results that the provider left out',
      path: 'anthropic',
      field: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
      body: { ...CLAUDE, messages: [{ role: 'user', content: LONG }] },
    },
    {
      what: 'a middle that was left out',
      path: 'chat',
      field: { transforms: ['middle-out'] },
      body: { ...GPT, messages: [{ role: 'user', content: LONG }] },
    },
  ] as const)('$what are counted again when they come back', async ({ path, field, body }) => {
    const usage = { input_tokens: 50, output_tokens: 5, prompt_tokens: 50, completion_tokens: 5, total_tokens: 55 }
    const message = { id: 'm', type: 'message', content: [], stop_reason: 'end_turn' }
    const choices = [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }]
    const { url } = await startOddUpstream({ body: [JSON.stringify({ ...message, choices, usage })] })
    const stage = await startStage({ limits: { tokens: 1_000_000 }, upstream: { baseUrl: url } })
    await (await send(stage, path, { ...body, ...field })).text()
    expect((await stage.run.usage()).tokens.settled).toBe(55)
    const { headers } = await send(stage, path, body)
    expect(1_000_000 - Number(/tokens=(\d+)/.exec(headers.get('x-stint-remaining') ?? '')?.[1])).toBeGreaterThan(20_000)
  })

  it.each(['code_interpreter', 'shell'])('%s has its own price: under a cost limit it is removed', async (type) => {
    const { url, requests } = await startOddUpstream({ body: ['{}'] })
    const stage = await startStage({ limits: { cost: 1 }, upstream: { baseUrl: url } })
    const tool =
      type === 'shell'
        ? { type, environment: { type: 'container_auto' } }
        : { type, container: { type: 'auto', memory_limit: '64g' } }
    await send(stage, 'responses', { ...RESPONSE, tools: [tool, { type: 'function', name: 'look', parameters: {} }] })
    expect(JSON.parse(requests[0]!.body).tools).toEqual([{ type: 'function', name: 'look', parameters: {} }])
  })

  it('a closing call uses no provider-run tools, even if a tool is forced', async () => {
    const call = { type: 'function_call', id: 'f', call_id: 'f', name: 'look', arguments: '{}' }
    const answer = {
      id: 'r',
      status: 'completed',
      output: [call],
      usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
    }
    const { url, requests } = await startOddUpstream({ body: [JSON.stringify(answer)] })
    const stage = await startStage({ limits: { modelCalls: 2 }, upstream: { baseUrl: url } })
    const tools = [{ type: 'web_search' }, { type: 'function', name: 'look', parameters: {} }]
    for (let round = 0; round < 4; round++)
      await send(stage, 'responses', { ...RESPONSE, tools, tool_choice: 'required' })
    expect(requests).toHaveLength(2)
    expect(JSON.parse(requests[1]!.body)).toMatchObject({
      tools,
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] },
    })
  })
})

/** What is left of the tokens while a call is in flight. */
async function remainingAfter(path: keyof typeof PATHS, body: object, tokens = 1_000_000): Promise<number> {
  const { url } = await startOddUpstream({ body: ['{}'] })
  const stage = await startStage({ limits: { tokens }, upstream: { baseUrl: url } })
  const answer = await send(stage, path, body)
  expect(answer.status, await answer.clone().text()).toBe(200)
  return Number(/tokens=(\d+)/.exec(answer.headers.get('x-stint-remaining') ?? '')?.[1])
}
