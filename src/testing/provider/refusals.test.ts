import { describe, expect, it } from 'vitest'
import { errorIn, PATHS, PLAIN, post, startProvider, startWith, WIRES, type Wire } from './provider.fixture.ts'

type Body = { readonly [field: string]: unknown }
type Case = readonly [title: string, more: Body, words: string]

const user = (content: unknown) => ({ role: 'user', content })
const mark = { type: 'ephemeral' }
const text = (more: Body = {}) => ({ type: 'text', text: 'word', ...more })
const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const claudeTools = [{ name: 'read', input_schema: { type: 'object' } }]
const thinking = { type: 'enabled', budget_tokens: 1_024 }

const ANTHROPIC: readonly Case[] = [
  ['no output cap', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['a cap of 0', { max_tokens: 0 }, 'greater than or equal to 1'],
  ['a cap above the model', { max_tokens: 64_001 }, '64001 > 64000'],
  ['no model', { model: undefined }, 'model: Field required'],
  ['a field that it does not know', { max_output: 3 }, 'max_output: Extra inputs are not permitted'],
  ['no messages', { messages: [] }, 'at least one message'],
  ['an empty message', { messages: [user('')] }, 'non-empty content'],
  ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, 'text content blocks must be non-empty'],
  ['an empty text in the system prompt', { system: [{ type: 'text', text: '' }] }, 'system.0: text content blocks'],
  ['an answer that ends in a blank', { messages: [user('hi'), { role: 'assistant', content: 'So ' }] }, 'whitespace'],
  ['a thinking budget below 1,024', { thinking: { type: 'enabled', budget_tokens: 1_023 }, max_tokens: 2_000 }, '1024'],
  ['a thinking budget of the whole cap', { thinking, max_tokens: 1_024 }, '`max_tokens` must be greater'],
  ['a temperature with thinking', { thinking, max_tokens: 2_000, temperature: 0.5 }, 'temperature'],
  [
    'a forced tool with thinking',
    { thinking, max_tokens: 2_000, tools: claudeTools, tool_choice: { type: 'any' } },
    'Thinking may not',
  ],
  [
    'a turn whose thinking is gone',
    { thinking, max_tokens: 2_000, tools: claudeTools, messages: [user('go'), use('a'), user([result('a')])] },
    'Expected `thinking`',
  ],
  [
    'thinking that it never wrote',
    {
      messages: [
        user('go'),
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'y' }] },
        user('go'),
      ],
    },
    'Invalid `signature`',
  ],
  [
    'a tool call without a result',
    { tools: claudeTools, messages: [user('go'), use('a'), user('and?')] },
    'without `tool_result` blocks immediately after: a',
  ],
  ['a tool call at the end', { tools: claudeTools, messages: [user('go'), use('a')] }, 'immediately after: a'],
  [
    'a result behind other content',
    { tools: claudeTools, messages: [user('go'), use('a'), user([text(), result('a')])] },
    'immediately after: a',
  ],
  ['a result without a call', { tools: claudeTools, messages: [user([result('a')])] }, 'unexpected `tool_use_id`'],
  [
    'two results for one call',
    { tools: claudeTools, messages: [user('go'), use('a'), user([result('a'), result('a')])] },
    'single result',
  ],
  ['a tool choice without tools', { tool_choice: { type: 'none' } }, 'tool_choice'],
  [
    'a choice of a tool that is not there',
    { tools: claudeTools, tool_choice: { type: 'tool', name: 'x' } },
    "'x' not found",
  ],
  ['two tools of one name', { tools: [...claudeTools, ...claudeTools] }, 'unique'],
  ['a tool without a schema', { tools: [{ name: 'read' }] }, 'input_schema: Field required'],
  ['five cache marks', { messages: [user(Array.from({ length: 5 }, () => text({ cache_control: mark })))] }, 'Found 5'],
  [
    'a long mark behind a short one',
    { messages: [user([text({ cache_control: mark }), text({ cache_control: { ...mark, ttl: '1h' } })])] },
    "ttl='1h'",
  ],
  [
    'a prompt that is too long',
    { messages: [user('word '.repeat(170_000))] },
    'prompt is too long: 212500 tokens > 200000',
  ],
]

const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
const calling = (...ids: readonly string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
const told = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' })
const chatTools = [{ type: 'function', function: { name: 'read' } }]

const CHAT: readonly Case[] = [
  ['no messages', { messages: [] }, "Invalid 'messages': empty array"],
  ['no list of messages', { messages: undefined }, "Missing required parameter: 'messages'"],
  ['no model', { model: undefined }, 'you must provide a model'],
  ['a field that it does not know', { max_output: 3 }, 'Unrecognized request argument supplied: max_output'],
  ['a message without content', { messages: [{ role: 'user', content: null }] }, 'expected a string, got null'],
  ['a role that nobody has', { messages: [{ role: 'robot', content: 'hi' }] }, "Invalid value: 'robot'"],
  [
    'a tool call without a result',
    { tools: chatTools, messages: [user('go'), calling('a', 'b'), told('a')] },
    'did not have response messages: b',
  ],
  [
    'a result that comes too late',
    { tools: chatTools, messages: [user('go'), calling('a'), user('and?'), told('a')] },
    'did not have response messages: a',
  ],
  ['a result without a call', { tools: chatTools, messages: [user('go'), told('a')] }, "messages with role 'tool'"],
  ['an empty list of tools', { tools: [] }, "Invalid 'tools': empty array"],
  ['a tool choice without tools', { tool_choice: 'none' }, "'tool_choice' is only allowed when 'tools'"],
  ['parallel calls without tools', { parallel_tool_calls: false }, "'parallel_tool_calls' is only allowed"],
  ['options of a stream without a stream', { stream_options: { include_usage: true } }, "only allowed when 'stream'"],
  ['two caps', { max_tokens: 5, max_completion_tokens: 5 }, 'at the same time'],
  ['the old cap for a reasoning model', { model: 'gpt-5', max_tokens: 500 }, "Use 'max_completion_tokens' instead"],
  ['a temperature for a reasoning model', { model: 'gpt-5', temperature: 0.2 }, "'temperature' does not support 0.2"],
  ['a cap of 0', { max_completion_tokens: 0 }, 'Expected a value >= 1'],
  ['a cap above the model', { max_completion_tokens: 32_769 }, 'at most 32768'],
  ['a wish for JSON that does not name it', { response_format: { type: 'json_object' } }, "the word 'json'"],
  [
    'a prompt that is too long',
    { model: 'gpt-4o-mini', messages: [user('word '.repeat(110_000))] },
    'maximum context length is 128000',
  ],
]

const made = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' })
const answered = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' })
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }

const RESPONSES: readonly Case[] = [
  ['no input', { input: undefined }, "One of 'input'"],
  ['an empty input', { input: [] }, "Invalid 'input': empty array"],
  ['a field that it does not know', { max_tokens: 3 }, "Unknown parameter: 'max_tokens'"],
  ['a tool call without a result', { input: [user('go'), made('a')] }, 'No tool output found for function call a.'],
  [
    'a result without a call',
    { input: [user('go'), answered('a')] },
    'No tool call found for function call output with call_id a.',
  ],
  [
    'thoughts that led to nothing',
    { input: [user('go'), reasoning, user('and?')] },
    'without its required following item',
  ],
  ['an earlier response that nobody knows', { previous_response_id: 'resp_0' }, "'resp_0' not found"],
  ['a cap below 16', { max_output_tokens: 15 }, 'Expected a value >= 16'],
  ['a forced tool without tools', { tool_choice: 'required' }, "must be 'auto' or 'none'"],
]

const CASES = { 'anthropic-messages': ANTHROPIC, 'openai-chat': CHAT, 'openai-responses': RESPONSES } as const

describe.each(WIRES)('%s', (wire: Wire) => {
  const plain = PLAIN[wire]

  it.each(CASES[wire])('refuses %s with status 400 in its own form, and charges nothing', async (_, more, words) => {
    const provider = await startProvider()
    const response = await post(provider, wire, { ...plain, ...more })
    const error = await errorIn(response)
    expect(error.message).toContain(words)
    expect([response.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(provider.book()).toMatchObject({ requests: 1, outcomes: { refused: 1 }, costNanoUsd: 0 })
  })

  it('answers the plain request that these differ from', async () => {
    const provider = await startProvider()
    expect((await post(provider, wire, plain)).status).toBe(200)
  })

  it.each([
    ['no JSON', '{"model":', /JSON/],
    ['a key that is written twice', '{"model":"a","model":"b"}', /"model" is written twice/],
    ['a key that is written twice further in', '{"a":[{"b":"\\\\\\"","c":1,"\\u0062":2}]}', /u0062" is written twice/],
    ['a list', '[]', /not an object/],
  ])('refuses %s', async (_, body, words) => {
    const response = await post(await startProvider(), wire, body)
    const error = await errorIn(response)
    expect([response.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(error.message).toMatch(words)
  })

  it('accepts JSON whose keys only look alike', async () => {
    const provider = await startProvider()
    const looks = '"metadata":{"a":"a\\\\","b":"{\\"a\\":","c":"a"},'
    expect((await post(provider, wire, `{${looks}${JSON.stringify(plain).slice(1)}`)).status).toBe(200)
  })

  it('requires a key that it knows', async () => {
    const provider = await startProvider({ apiKeys: ['right'] })
    const ask = async (headers: Record<string, string>) => {
      const response = await post(provider, wire, plain, { headers: { 'anthropic-version': '2023-06-01', ...headers } })
      return [response.status, (await errorIn(response)).type]
    }
    const type = wire === 'anthropic-messages' ? 'authentication_error' : 'invalid_request_error'
    expect(await ask({})).toEqual([401, type])
    expect(await ask({ authorization: 'Bearer wrong' })).toEqual([401, type])
    const right = { authorization: 'Bearer right', 'anthropic-version': '2023-06-01' }
    expect((await post(provider, wire, plain, { headers: right })).status).toBe(200)
    expect(provider.book().requests).toBe(1)
  })

  it('knows only the given models', async () => {
    const model = {
      price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1, webSearchNanoUsd: 1 },
      maxOutputTokens: 5_000,
      contextWindow: 9_000,
    }
    const provider = await startProvider({ models: { mine: model } })
    const response = await post(provider, wire, plain)
    expect([response.status, (await errorIn(response)).type]).toEqual([
      404,
      wire === 'anthropic-messages' ? 'not_found_error' : 'invalid_request_error',
    ])
    expect((await post(provider, wire, { ...plain, model: 'mine' })).status).toBe(200)
  })

  it('has no other routes', async () => {
    const provider = await startProvider()
    const headers = { authorization: 'Bearer made-up' }
    for (const [method, path] of [
      ['GET', PATHS[wire]],
      ['POST', `${PATHS[wire]}/x`],
      ['POST', '/v1/embeddings'],
    ] as const) {
      const response = await fetch(provider.url + path, { method, headers })
      expect(response.status).toBe(404)
    }
  })

  it('says when its script has ended, with a status that no client retries', async () => {
    const provider = await startProvider({ script: [{ text: 'one' }] })
    expect((await post(provider, wire, plain)).status).toBe(200)
    const response = await post(provider, wire, plain)
    expect([response.status, (await errorIn(response)).message]).toEqual([400, expect.stringContaining('has ended')])
  })
})

describe('a request without the tools that its conversation used', () => {
  const turn = { text: 'an answer' }
  const histories: readonly (readonly [Wire, Body])[] = [
    ['anthropic-messages', { messages: [user('go'), use('a'), user([result('a')])] }],
    ['openai-chat', { messages: [user('go'), calling('a'), told('a')] }],
    ['openai-responses', { input: [user('go'), made('a'), answered('a')] }],
  ]

  it.each(histories)('gets an empty answer from %s', async (wire, history) => {
    const provider = await startWith(turn)
    expect(await (await post(provider, wire, { ...PLAIN[wire], ...history })).text()).not.toContain('an answer')
    expect(provider.book().usage.outputTokens).toBe(0)
    provider.play(() => ({ ...turn, answersWithoutTools: true }))
    expect(await (await post(provider, wire, { ...PLAIN[wire], ...history })).text()).toContain('an answer')
  })
})
