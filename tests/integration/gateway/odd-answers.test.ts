import { describe, expect, it } from 'vitest'
import { type OddAnswer, sse, startHeldUpstream, startOddUpstream } from './odd-upstream.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const CHAT = {
  model: 'gpt-4.1',
  max_completion_tokens: 500,
  messages: [{ role: 'user', content: 'go' }],
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
}

async function oddStage(answer: OddAnswer, limits: Record<string, number>): Promise<Stage> {
  const { url } = await startOddUpstream(answer)
  return startStage({ limits, upstream: { baseUrl: url } })
}

function ask(
  stage: Stage,
  body: object,
  path = 'openai/v1/chat/completions',
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${stage.gateway.url}/k/${KEY}/${path}`, { method: 'POST', body: JSON.stringify(body), signal })
}

/** How many calls of the tool a client finds in an answer. */
function callsIn(answer: string): number {
  return answer.split('"look"').length - 1
}

const call = (id: string | undefined, name: string, index?: number) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: '{}' },
})
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'gpt-4.1',
  choices: [{ index: 0, delta, finish_reason }],
})

async function toolCallsOf(stage: Stage): Promise<{ settled: number; reserved: number; overrun: number }> {
  await stage.settle()
  const { settled, reserved, overrun } = (await stage.run.usage()).toolCalls
  return { settled, reserved, overrun }
}

const WHOLE = {
  id: 'c1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, tool_calls: ['a', 'b', 'c'].map((id) => call(id, 'look')) },
      finish_reason: 'tool_calls',
    },
  ],
  usage: USAGE,
}
const MESSAGE = {
  id: 'm1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5',
  content: ['a', 'b', 'c'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
  stop_reason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 5 },
}
const MESSAGES = {
  model: 'claude-haiku-5-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
}
const RESPONSE = {
  id: 'r1',
  status: 'completed',
  output: ['a', 'b', 'c'].map((id) => ({ type: 'function_call', id, call_id: id, name: 'look', arguments: '{}' })),
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}
const RESPONSES = { model: 'gpt-4.1', input: 'go', tools: [{ type: 'function', name: 'look', parameters: {} }] }

/** One answer with three calls, in each dialect. */
const UNDER_A_WRONG_NAME = [
  { path: 'openai/v1/chat/completions', request: CHAT, whole: WHOLE, start: chunk({ content: 'Here.' }) },
  { path: 'openai/v1/responses', request: RESPONSES, whole: RESPONSE, start: { type: 'response.in_progress' } },
  { path: 'anthropic/v1/messages', request: MESSAGES, whole: MESSAGE, start: { type: 'ping' } },
]

describe('headers of an upstream', () => {
  it('that are about its host do not become ours, where the dashboard is', async () => {
    const own = {
      'set-cookie': 'stint_session_7433=planted; Path=/api',
      'clear-site-data': '"cookies"',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      nel: '{}',
      'report-to': '{}',
      'reporting-endpoints': 'a="https://elsewhere.example"',
    }
    const headers = { 'content-type': 'application/json', 'x-request-id': 'passed-on', ...own }
    const stage = await oddStage({ headers, body: [JSON.stringify({ ...WHOLE, usage: USAGE })] }, { toolCalls: 5 })
    const answer = await ask(stage, CHAT)
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'passed-on'])
    for (const name of Object.keys(own)) expect(answer.headers.has(name), name).toBe(false)
  })
})

describe('answers in unusual forms', () => {
  it.each(UNDER_A_WRONG_NAME)(
    'a complete answer declared as a stream brings no calls past a limit, $path',
    async ({ path, request, whole }) => {
      const text = JSON.stringify(whole)
      const pretty = JSON.stringify(whole, null, 2).replaceAll('\n', '\n\n')
      for (const body of [
        [text],
        [`\n${text}\n\n`],
        [pretty],
        [text.slice(0, 40), text.slice(40)],
        [`\ufeff${text}`],
      ]) {
        for (const stream of [false, true]) {
          const stage = await oddStage({ headers: EVENT_STREAM, body }, { toolCalls: 1, cost: 1 })
          const answer = await (await ask(stage, { ...request, stream }, path)).text()
          expect(callsIn(answer)).toBeLessThanOrEqual(1)
          expect(await toolCallsOf(stage)).toEqual({ settled: 0, reserved: 0, overrun: 0 })
          // Whatever it was, somebody has paid for it.
          expect((await stage.run.usage()).cost.settled).toBeGreaterThan(0)
        }
      }
    },
  )

  it.each(UNDER_A_WRONG_NAME)(
    'an event that is a list brings no calls past a limit, $path',
    async ({ path, request, whole, start }) => {
      for (const data of [[whole], [[whole]], `  [${JSON.stringify(whole)}]`, `${JSON.stringify(whole)},`]) {
        const stage = await oddStage({ headers: EVENT_STREAM, body: sse(start, data) }, { toolCalls: 1, cost: 1 })
        const answer = await (await ask(stage, { ...request, stream: true }, path)).text()
        expect(answer).not.toContain('look')
        expect(await toolCallsOf(stage)).toEqual({ settled: 0, reserved: 0, overrun: 0 })
      }
    },
  )

  it('comments, names and times of a stream are passed on unchanged', async () => {
    const odd = [
      ': OPENROUTER PROCESSING\n\n',
      'retry: 100\n\n',
      'id: 7\nevent: ping\n\n',
      'data\n\n',
      'data: working\n\n',
    ]
    const body = [
      ...odd,
      ...sse(chunk({ content: 'Here.' }), chunk({}, 'stop'), { id: 'c1', choices: [], usage: USAGE }, '[DONE]'),
    ]
    const stage = await oddStage({ headers: EVENT_STREAM, body }, { toolCalls: 1 })
    const request = { ...CHAT, stream: true, stream_options: { include_usage: true } }
    expect(await (await ask(stage, request)).text()).toBe(body.join(''))
  })

  it('the same prompt with the same ids counts each time that its answer reaches the client', async () => {
    const only = {
      ...WHOLE,
      choices: [{ ...WHOLE.choices[0]!, message: { role: 'assistant', tool_calls: [call('call_0', 'look')] } }],
    }
    const stage = await oddStage({ body: [JSON.stringify(only)] }, { toolCalls: 3 })
    const answers: string[] = []
    for (let request = 0; request < 6; request++) answers.push(await (await ask(stage, CHAT)).text())
    expect(answers.map(callsIn)).toEqual([1, 1, 1, 0, 0, 0])
    expect(await toolCallsOf(stage)).toEqual({ settled: 3, reserved: 0, overrun: 0 })
  })

  it('also if such requests come at the same time', async () => {
    const only = {
      ...WHOLE,
      choices: [{ ...WHOLE.choices[0]!, message: { role: 'assistant', tool_calls: [call('call_0', 'look')] } }],
    }
    const stage = await oddStage({ body: [JSON.stringify(only)] }, { toolCalls: 3 })
    const answers = await Promise.all(Array.from({ length: 6 }, async () => (await ask(stage, CHAT)).text()))
    expect(answers.reduce((sum, answer) => sum + callsIn(answer), 0)).toBe(3)
    expect(await toolCallsOf(stage)).toEqual({ settled: 3, reserved: 0, overrun: 0 })
  })

  it('a call whose answer was lost on the way is not counted again when the same prompt returns it again', async () => {
    const upstream = await startHeldUpstream([sse(chunk({ tool_calls: [call('call_0', 'look', 0)] })).join('')])
    const stage = await startStage({ limits: { toolCalls: 2 }, upstream: { baseUrl: upstream.url } })
    const request = { ...CHAT, stream: true }
    for (let attempt = 0; attempt < 3; attempt++) {
      const leaves = new AbortController()
      const answer = await ask(stage, request, undefined, leaves.signal)
      const { value } = await answer.body!.getReader().read()
      expect(Buffer.from(value!).toString()).toContain('look')
      leaves.abort()
      await expect.poll(() => stage.run.usage().then(({ modelCalls }) => modelCalls.reserved)).toBe(1)
      upstream.release()
      await expect.poll(() => stage.run.usage().then(({ modelCalls }) => modelCalls.reserved)).toBe(0)
    }
    expect(await toolCallsOf(stage)).toEqual({ settled: 1, reserved: 0, overrun: 0 })
  })

  it.each([
    { what: 'an index and an id', calls: ['a', 'b', 'c'].map((id, index) => call(id, 'look', index)) },
    { what: 'no index', calls: ['a', 'b', 'c'].map((id) => call(id, 'look')) },
    { what: 'neither index nor id', calls: [1, 2, 3].map(() => call(undefined, 'look')) },
    { what: 'the same index', calls: ['a', 'b', 'c'].map((id) => call(id, 'look', 0)) },
    { what: 'the same id', calls: [0, 1, 2].map((index) => call('a', 'look', index)) },
  ])('a stream of three calls with $what is cut to the one that is left', async ({ calls }) => {
    const events = calls.map((each) => chunk({ tool_calls: [each] }))
    const body = sse(...events, chunk({}, 'tool_calls'), { id: 'c1', choices: [], usage: USAGE }, '[DONE]')
    const stage = await oddStage({ headers: EVENT_STREAM, body }, { toolCalls: 1 })
    const text = await (await ask(stage, { ...CHAT, stream: true })).text()
    expect(text.split('"look"')).toHaveLength(2)
    expect(await toolCallsOf(stage)).toEqual({ settled: 1, reserved: 0, overrun: 0 })
  })

  it.each(['text/plain', 'Text/Event-Stream; charset=utf-8', 'application/octet-stream', ''])(
    'a stream declared as %j is read as one',
    async (contentType) => {
      const calls = ['a', 'b', 'c'].map((id, index) => chunk({ tool_calls: [call(id, 'look', index)] }))
      const body = sse(...calls, chunk({}, 'tool_calls'), { id: 'c1', choices: [], usage: USAGE }, '[DONE]')
      const headers = contentType === '' ? {} : { 'content-type': contentType }
      const stage = await oddStage({ headers, body }, { toolCalls: 1, cost: 1 })
      const text = await (await ask(stage, { ...CHAT, stream: true })).text()
      expect(text.split('"look"')).toHaveLength(2)
      expect(await toolCallsOf(stage)).toEqual({ settled: 1, reserved: 0, overrun: 0 })
      expect((await stage.run.usage()).tokens.settled).toBe(15)
    },
  )

  it('an unreadable answer with a wrong content type brings no calls', async () => {
    const calls = ['a', 'b', 'c'].map((id, index) => chunk({ tool_calls: [call(id, 'look', index)] }))
    for (const body of [sse(...calls, '[DONE]'), [`${JSON.stringify({ choices: calls }).slice(0, -1)},}`]]) {
      const stage = await oddStage({ body }, { toolCalls: 1 })
      expect(await (await ask(stage, { ...CHAT, stream: true })).text()).not.toContain('look')
      expect(await toolCallsOf(stage)).toMatchObject({ reserved: 0, overrun: 0 })
    }
  })

  it('thinking that arrives together with an error is charged, an error alone is not', async () => {
    const thought = chunk({ reasoning_content: 'hm '.repeat(500) })
    const error = { error: { message: 'no' } }
    for (const { events, isCharged } of [
      { events: [thought, error], isCharged: true },
      { events: [error], isCharged: false },
    ]) {
      const stage = await oddStage({ headers: EVENT_STREAM, body: [sse(...events).join('')] }, { cost: 1 })
      await (await ask(stage, { ...CHAT, stream: true })).text().catch(() => '')
      await stage.settle()
      expect((await stage.run.usage()).cost.settled > 0).toBe(isCharged)
    }
  })

  it('calls in an answer to a request without tools do not pass a limit', async () => {
    const message = { role: 'assistant', content: 'x', tool_calls: ['a', 'b', 'c'].map((id) => call(id, 'look')) }
    const body = [
      JSON.stringify({ id: 'c1', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: USAGE }),
    ]
    const stage = await oddStage({ body }, { toolCalls: 1 })
    const { tools: _, ...plain } = CHAT
    const text = await (await ask(stage, plain)).text()
    expect(text.split('"look"')).toHaveLength(2)
    expect(await toolCallsOf(stage)).toEqual({ settled: 1, reserved: 0, overrun: 0 })
  })

  it('headers that HTTP does not allow do not lose a paid answer', async () => {
    const body = [
      JSON.stringify({
        id: 'c1',
        choices: [{ index: 0, message: { content: 'Here.' }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
    ]
    const headers = { 'content-type': 'application/json', 'x-note': '漢字', 'x-plain': 'kept' }
    const stage = await oddStage({ headers, body }, { cost: 1 })
    const answer = await ask(stage, CHAT)
    expect([answer.status, answer.headers.get('x-plain')]).toEqual([200, 'kept'])
    expect(await answer.text()).toContain('Here.')
  })

  it('an answer with invalid JSON, or an error with a success status, ends in one terminal state', async () => {
    for (const body of [
      '',
      'null',
      '[]',
      '{"choices":7}',
      '<html>',
      '{"error":{"message":"no"}}',
      '{"usage":{"prompt_tokens":-1}}',
    ]) {
      for (const stream of [true, false]) {
        const stage = await oddStage({ body: [body] }, { toolCalls: 3, cost: 1 })
        await (await ask(stage, { ...CHAT, stream })).text().catch(() => '')
        await stage.settle()
        const { cost, modelCalls, toolCalls } = await stage.run.usage()
        expect([cost.reserved, modelCalls.reserved, modelCalls.settled, toolCalls.reserved]).toEqual([0, 0, 1, 0])
      }
    }
  })

  it('shrinking usage is not believed', async () => {
    const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
    const start = {
      type: 'message_start',
      message: { id: 'm', content: [], usage: { input_tokens: 9_000, output_tokens: 1 } },
    }
    const end = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 0, output_tokens: 7 },
    }
    const body = [event(start), event(end), event({ type: 'message_stop' })]
    const stage = await oddStage({ headers: EVENT_STREAM, body }, { tokens: 50_000 })
    const request = {
      model: 'claude-haiku-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }
    await (await ask(stage, request, 'anthropic/v1/messages')).text()
    await stage.settle()
    expect((await stage.run.usage()).tokens.settled).toBeGreaterThanOrEqual(9_007)
  })
})
