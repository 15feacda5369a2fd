import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { anthropicAt, openaiAt, startProvider, startWith } from './provider.fixture.ts'
import { emitWholeCap } from './scripts/emit-whole-cap.ts'
import { loopForEver } from './scripts/loop-for-ever.ts'
import { toolThenText } from './scripts/tool-then-text.ts'

const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 4_000 } as const
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const
const claudeTool: Anthropic.Tool = { name: 'read', input_schema: { ...schema, required: [...schema.required] } }
const chatTool: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'read', parameters: schema } }
const responseTool: OpenAI.Responses.Tool = { type: 'function', name: 'read', parameters: schema, strict: false }

describe('with the SDK of Anthropic', () => {
  it('a whole conversation with tools and thinking works, with and without streaming', async () => {
    const provider = await startProvider({ script: toolThenText(2, { parallel: 2, closing: 'All read.' }) })
    const client = anthropicAt(provider)
    const texts: string[] = []
    for (const isStream of [true, false]) {
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }]
      for (let round = 0; round < 3; round++) {
        const thinking = { type: 'enabled', budget_tokens: 1_024 } as const
        const request = { ...CLAUDE, messages, tools: [claudeTool], thinking }
        const answer = isStream
          ? await client.messages.stream(request).finalMessage()
          : await client.messages.create(request)
        messages.push({ role: 'assistant', content: answer.content })
        const calls = answer.content.filter((block) => block.type === 'tool_use')
        expect(answer.stop_reason).toBe(round < 2 ? 'tool_use' : 'end_turn')
        expect(answer.content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me see.' })
        expect(calls).toHaveLength(round < 2 ? 2 : 0)
        if (calls.length === 0)
          texts.push(answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))
        else
          messages.push({
            role: 'user',
            content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
          })
      }
    }
    expect(texts).toEqual(['All read.', 'All read.'])
    const { entries } = provider.book()
    expect(entries.map(({ outcome, toolCalls }) => [outcome, toolCalls])).toEqual(
      [2, 2, 0, 2, 2, 0].map((calls) => ['answered', calls]),
    )
    // Ids have a fixed length by now, so the same conversation costs the same however it is sent.
    expect(entries.slice(0, 3).map(({ usage }) => usage.inputTokens)).toEqual(
      entries.slice(3).map(({ usage }) => usage.inputTokens),
    )
  })

  it('usage matches the book, in a stream and in one piece', async () => {
    const provider = await startWith({ text: 'some words', thinkingTokens: 40 })
    const client = anthropicAt(provider)
    const request = {
      ...CLAUDE,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      messages: [{ role: 'user', content: 'hello there' }],
    } satisfies Anthropic.MessageCreateParams
    const whole = await client.messages.create(request)
    const streamed = await client.messages.stream(request).finalMessage()
    for (const { usage } of [whole, streamed]) {
      expect(usage).toMatchObject({ input_tokens: 3, output_tokens: 43, cache_read_input_tokens: 0 })
    }
    expect(provider.book().entries[0]!.usage).toMatchObject({ inputTokens: 3, outputTokens: 43, reasoningTokens: 40 })
  })

  it('tokens are counted and models listed', async () => {
    const provider = await startProvider()
    const client = anthropicAt(provider)
    const { input_tokens } = await client.messages.countTokens({
      model: 'claude-haiku-5-5',
      messages: [{ role: 'user', content: 'hello there' }],
    })
    expect(input_tokens).toBe(3)
    const names = (await client.models.list()).data.map(({ id }) => id)
    expect(names).toContain('claude-haiku-5-5')
    expect(provider.book().requests).toBe(0)
  })

  it('the web is searched within the bound of the request, and the number of searches reported', async () => {
    const provider = await startWith({ text: 'found', webSearches: 5 })
    const client = anthropicAt(provider)
    const request = {
      ...CLAUDE,
      messages: [{ role: 'user', content: 'search' }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
    } satisfies Anthropic.MessageCreateParams
    const answer = await client.messages.stream(request).finalMessage()
    expect(answer.usage.server_tool_use).toMatchObject({ web_search_requests: 2 })
    expect(answer.content.map(({ type }) => type)).toEqual([
      'server_tool_use',
      'web_search_tool_result',
      'server_tool_use',
      'web_search_tool_result',
      'text',
    ])
    expect(provider.book().usage.webSearches).toBe(2)
  })
})

describe('with the SDK of OpenAI, chat completions', () => {
  it('a whole conversation with tools works, with and without streaming', async () => {
    const provider = await startProvider({ script: toolThenText(1, { parallel: 2, closing: 'All read.' }) })
    const client = openaiAt(provider)
    for (const isStream of [true, false]) {
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }]
      for (let round = 0; round < 2; round++) {
        const request = { model: 'gpt-4.1', messages, tools: [chatTool] }
        const { choices } = isStream
          ? await client.chat.completions.stream(request).finalChatCompletion()
          : await client.chat.completions.create(request)
        const { message, finish_reason } = choices[0]!
        expect(finish_reason).toBe(round === 0 ? 'tool_calls' : 'stop')
        expect(message.content).toBe(round === 0 ? null : 'All read.')
        messages.push({
          role: 'assistant',
          content: message.content,
          ...(message.tool_calls ? { tool_calls: message.tool_calls } : {}),
        })
        for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' })
      }
    }
    expect(provider.book().toolCalls).toBe(4)
  })

  it('the usage of a stream is sent only on request', async () => {
    const provider = await startWith({ text: 'four' })
    const client = openaiAt(provider)
    const request: OpenAI.ChatCompletionCreateParamsStreaming = {
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }
    const quiet = []
    for await (const chunk of await client.chat.completions.create(request)) quiet.push(chunk.usage)
    expect(quiet.every((usage) => usage === undefined)).toBe(true)
    const asked = []
    const withUsage = { ...request, stream_options: { include_usage: true } }
    for await (const chunk of await client.chat.completions.create(withUsage)) asked.push(chunk)
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    expect(asked.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
  })

  it('every choice is written and charged', async () => {
    const provider = await startWith({ text: 'four' })
    const { choices, usage } = await openaiAt(provider).chat.completions.create({
      model: 'gpt-4.1',
      n: 3,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(choices.map(({ message }) => message.content)).toEqual(['four', 'four', 'four'])
    expect(usage?.completion_tokens).toBe(3)
  })

  it('a reasoning model with too small a cap gives no answer', async () => {
    const provider = await startWith({ text: 'an answer', thinkingTokens: 500 })
    const { choices, usage } = await openaiAt(provider).chat.completions.create({
      model: 'gpt-5',
      max_completion_tokens: 300,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } })
    expect(usage).toMatchObject({ completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 300 } })
  })

  it('a legacy function is called', async () => {
    const provider = await startProvider({ script: loopForEver({ arguments: { path: 'a' } }) })
    const { choices } = await openaiAt(provider).chat.completions.create({
      model: 'gpt-4.1',
      functions: [{ name: 'read', parameters: schema }],
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { function_call: { name: 'read', arguments: '{"path":"a"}' } },
    })
  })

  it('models are listed', async () => {
    const names = (await openaiAt(await startProvider()).models.list()).data.map(({ id }) => id)
    expect(names).toContain('gpt-5')
  })
})

describe('with the SDK of OpenAI, responses', () => {
  it('a whole conversation works, stored by the client or by the provider', async () => {
    const provider = await startProvider({ script: toolThenText(1, { parallel: 2, closing: 'All read.' }) })
    const client = openaiAt(provider)
    for (const isStream of [true, false]) {
      for (const isKept of [true, false]) {
        const ask = (
          more: Pick<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'input' | 'previous_response_id'>,
        ) => {
          const request = { model: 'gpt-5', tools: [responseTool], ...more }
          return isStream ? client.responses.stream(request).finalResponse() : client.responses.create(request)
        }
        const first = await ask({ input: 'go' })
        const results = first.output.flatMap((item) =>
          item.type === 'function_call'
            ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'ok' }]
            : [],
        )
        expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call', 'function_call'])
        const input = [
          { role: 'user' as const, content: 'go' },
          ...(first.output as OpenAI.Responses.ResponseInputItem[]),
          ...results,
        ]
        const second = await ask(isKept ? { previous_response_id: first.id, input: results } : { input })
        expect(second.output_text).toBe('All read.')
        expect(second.usage?.output_tokens_details.reasoning_tokens).toBe(64)
      }
    }
    const inputs = provider.book().entries.map(({ usage }) => usage.inputTokens)
    // A conversation stored at the provider costs as much as if it had been sent.
    expect(new Set([inputs[1], inputs[3], inputs[5], inputs[7]]).size).toBe(1)
  })

  it('an answer ended by the cap is incomplete, with its usage', async () => {
    const provider = await startProvider({ script: emitWholeCap() })
    const client = openaiAt(provider)
    const request = { model: 'gpt-4.1', input: 'go', max_output_tokens: 100 }
    for (const response of [
      await client.responses.create(request),
      await client.responses.stream(request).finalResponse(),
    ]) {
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
      expect(response.usage).toMatchObject({ output_tokens: 100 })
      expect(response.output_text).toHaveLength(400)
    }
  })

  it('custom tools and the local shell are called in their own form', async () => {
    const provider = await startWith({
      toolCalls: [
        { name: 'apply_patch', arguments: '*** Begin Patch' },
        { name: 'local_shell', arguments: { command: ['ls'] } },
      ],
    })
    const response = await openaiAt(provider)
      .responses.stream({
        model: 'gpt-4.1',
        input: 'go',
        tools: [{ type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }],
      })
      .finalResponse()
    expect(response.output).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'local_shell_call', action: { command: ['ls'] } },
    ])
  })
})
