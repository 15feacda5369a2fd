import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, streamText, ToolLoopAgent, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { governed, runGoverned } from '../../src/adapters/ai-sdk/index.ts'
import { createGovernor } from '../../src/governor/index.ts'

/** A provider's endpoint that answers from a list, and records requests. */
function endpoint(answers: readonly (object | string)[]) {
  const sent: { readonly body: Record<string, unknown>; readonly headers: Headers }[] = []
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    sent.push({ body: JSON.parse(String(init?.body)), headers: new Headers(init?.headers) })
    const answer = answers[sent.length - 1] ?? answers.at(-1)!
    if (typeof answer === 'string') return new Response(answer, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(answer)
  }
  return { sent, fetch: fetch as typeof globalThis.fetch }
}

const anthropicAnswer = (content: object[], usage: object) => ({
  type: 'message',
  id: 'msg',
  model: 'claude-sonnet-4-5',
  role: 'assistant',
  content,
  stop_reason: content.some((part) => (part as { type: string }).type === 'tool_use') ? 'tool_use' : 'end_turn',
  usage,
})
const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
const USAGE = { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200 }
const tools = { read: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'text' }) }

describe('Anthropic’s own provider', () => {
  const model = (fetch: typeof globalThis.fetch) =>
    createAnthropic({ apiKey: 'placeholder', fetch })('claude-sonnet-4-5')

  it('gets a cap that includes the thinking budget, and its usage is charged by class', async () => {
    const { sent, fetch } = endpoint([anthropicAnswer([{ type: 'text', text: 'Done.' }], USAGE)])
    const scope = await createGovernor().open({ name: 'run', limits: { cost: 0.2 } })
    const providerOptions = { anthropic: { thinking: { type: 'enabled' as const, budgetTokens: 31_999 } } }
    const settings = governed(scope, { model: model(fetch), providerOptions, maxOutputTokens: 1 })
    expect((await generateText({ ...settings, prompt: 'hi' })).text).toBe('Done.')
    const { max_tokens, thinking } = sent[0]!.body as { max_tokens: number; thinking: { budget_tokens: number } }
    // A fifth of a dollar pays for some 13,000 tokens of output.
    expect(max_tokens).toBeLessThan(13_334)
    expect(thinking.budget_tokens).toBe(8_192)
    const { tokens, uncachedTokens, cost } = await scope.usage()
    expect([tokens.settled, uncachedTokens.settled]).toEqual([1_350, 350])
    // 3, 15, 0.30 and 3.75 dollars for a million.
    expect(cost.settled).toBe(100 * 3_000 + 50 * 15_000 + 1_000 * 300 + 200 * 3_750)
  })

  it('is asked for the closing answer with its tools and tool_choice none, and a line about the budget', async () => {
    const { sent, fetch } = endpoint([
      anthropicAnswer([toolUse('a')], USAGE),
      anthropicAnswer([toolUse('b')], USAGE),
      anthropicAnswer([{ type: 'text', text: 'What I have.' }, toolUse('c')], USAGE),
    ])
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 1 } })
    const settings = governed(scope, { model: model(fetch), tools, maxRetries: 0 })
    const { text, toolCalls, finishReason } = await generateText({ ...settings, prompt: 'hi' })
    expect([text, toolCalls, finishReason]).toEqual(['What I have.', [], 'stop'])
    const [first, , last] = sent.map(({ body }) => body)
    expect(last?.tool_choice).toEqual({ type: 'none' })
    expect(JSON.stringify(last?.tools)).toBe(JSON.stringify(first?.tools))
    expect(JSON.stringify(first?.system)).toContain('you have 1 tool call for this task')
    expect(sent[0]?.headers.get('x-stint-reservation')).toMatch(/.+/)
  })

  it('streams: the last count wins, and is charged once', async () => {
    const events = [
      {
        type: 'message_start',
        message: { ...anthropicAnswer([], { input_tokens: 25, output_tokens: 1 }), content: [] },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15 } },
      { type: 'message_stop' },
    ]
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const { fetch } = endpoint([body])
    const scope = await createGovernor().open({ name: 'run', limits: { tokens: '50k' } })
    const { textStream } = streamText({ ...governed(scope, { model: model(fetch) }), prompt: 'hi' })
    let text = ''
    for await (const delta of textStream) text += delta
    expect(text).toBe('Hello.')
    expect((await scope.usage()).tokens).toMatchObject({ settled: 40, reserved: 0 })
  })
})

describe('OpenAI’s own provider', () => {
  const answer = (output: object[]) => ({
    id: 'resp',
    object: 'response',
    created_at: 0,
    model: 'gpt-5.1',
    output,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 130,
    },
  })
  const call = (id: string) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name: 'read',
    arguments: '{}',
    status: 'completed',
  })
  const message = {
    type: 'message',
    role: 'assistant',
    id: 'msg',
    content: [{ type: 'output_text', text: 'What I have.', annotations: [] }],
  }

  it('ends at a limit with an answer, and cached input does not count as uncached tokens', async () => {
    const { sent, fetch } = endpoint([answer([call('a')]), answer([call('b')]), answer([message])])
    const model = createOpenAI({ apiKey: 'placeholder', fetch })('gpt-5.1')
    const scope = await createGovernor().open({ name: 'run', limits: { toolCalls: 1, tokens: '100k' } })
    const agent = new ToolLoopAgent(governed(scope, { model, tools, maxRetries: 0 }))
    const result = await runGoverned(scope, agent, 'hi')
    expect(result).toMatchObject({ status: 'limit-reached', partialOutput: 'What I have.' })
    expect(sent.map(({ body }) => body.tool_choice)).toEqual(['auto', 'auto', 'none'])
    expect(sent[0]?.body.max_output_tokens).toBe(16_384)
    expect([result.usage.tokens.settled, result.usage.uncachedTokens.settled]).toEqual([390, 270])
  })
})
