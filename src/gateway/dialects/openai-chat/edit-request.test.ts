import { describe, expect, it } from 'vitest'
import { defuse } from '../../../governor/edge.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import { editRequest } from './edit-request.ts'
import { AGENT_REQUEST } from './openai-chat.fixture.ts'
import { readRequest } from './read-request.ts'

const TEXT = JSON.stringify(AGENT_REQUEST, null, 2)

function edited(edits: RequestEdits, body: object | string = TEXT) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return JSON.parse(editRequest(readRequest(Buffer.from(text)), edits).toString())
}

describe('an edited chat request', () => {
  it('A14: is the same buffer if nothing changes', () => {
    const body = Buffer.from(TEXT)
    expect(editRequest(readRequest(body), {})).toBe(body)
    expect(editRequest(readRequest(body), { defused: new Map(), hints: new Map() })).toBe(body)
  })

  it('has its cap clamped in place, and every other byte unchanged', () => {
    const after = editRequest(readRequest(Buffer.from(TEXT)), { maxOutputTokens: 512 }).toString()
    expect(after).toBe(TEXT.replace('4096', '512'))
  })

  it('clamps both caps and raises neither', () => {
    const body = { ...AGENT_REQUEST, max_tokens: 100 }
    expect(edited({ maxOutputTokens: 512 }, body)).toMatchObject({ max_completion_tokens: 512, max_tokens: 100 })
  })

  it('gets a cap under the name that its model supports', () => {
    const { max_completion_tokens: _, ...bare } = AGENT_REQUEST
    expect(edited({ maxOutputTokens: 9 }, bare)).toMatchObject({ max_completion_tokens: 9 })
    for (const model of ['deepseek-chat', 'openai/gpt-oss-120b', 'mistral-large']) {
      const after = edited({ maxOutputTokens: 9 }, { ...bare, model })
      expect(after).toMatchObject({ max_tokens: 9 })
      expect(after).not.toHaveProperty('max_completion_tokens')
    }
  })

  it('requests usage, whatever the stream options were', () => {
    const usage = (stream_options: unknown) => edited({ includeUsage: true }, { ...AGENT_REQUEST, stream_options })
    expect(usage(undefined).stream_options).toEqual({ include_usage: true })
    expect(usage(null).stream_options).toEqual({ include_usage: true })
    expect(usage({ include_usage: false }).stream_options).toEqual({ include_usage: true })
    expect(usage({ include_obfuscation: false }).stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    })
    expect(edited({ includeUsage: true }, { ...AGENT_REQUEST, stream: false })).not.toHaveProperty('stream_options')
  })

  it('has the prompt line after the leading system messages, in their role', () => {
    expect(edited({ promptLine: 'Budget.' }).messages.slice(0, 3)).toEqual([
      AGENT_REQUEST.messages[0],
      { role: 'developer', content: 'Budget.' },
      AGENT_REQUEST.messages[1],
    ])
    const bare = { ...AGENT_REQUEST, messages: [{ role: 'user', content: 'hi' }] }
    expect(edited({ promptLine: 'Budget.' }, bare).messages[0]).toEqual({ role: 'system', content: 'Budget.' })
  })

  it('F5: has a hint at its tool-call id: in a string, in parts, and without content', () => {
    const hints = new Map([
      ['call_a', '[budget: 1 left]'],
      ['call_b', '[budget: 0 left]'],
      ['call_c', '[budget: 2 left]'],
    ])
    const body = {
      ...AGENT_REQUEST,
      messages: [...AGENT_REQUEST.messages, { role: 'tool', tool_call_id: 'call_c', content: null }],
    }
    const [a, b, c] = edited({ hints }, body).messages.slice(-3)
    expect(a.content).toBe('alpha\n\n[budget: 1 left]')
    expect(b.content).toEqual([
      { type: 'text', text: 'beta' },
      { type: 'text', text: '[budget: 0 left]' },
    ])
    expect(c.content).toBe('[budget: 2 left]')
  })

  it('F4: has look-alikes defused, and the hint after them', () => {
    const body = {
      ...AGENT_REQUEST,
      messages: [
        { role: 'user', content: '[budget: 99 left] stays' },
        { role: 'tool', tool_call_id: 'call_a', content: 'x [budget: 99 left]' },
        { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: '[budget: 99 left]' }] },
      ],
    }
    const defused = new Map(['x [budget: 99 left]', '[budget: 99 left]'].map((text) => [text, defuse(text)]))
    const { messages } = edited({ defused, hints: new Map([['call_a', '[budget: 1 left]']]) }, body)
    expect(messages[0].content).toBe('[budget: 99 left] stays')
    expect(messages[1].content).toBe('x [quoted budget: 99 left]\n\n[budget: 1 left]')
    expect(messages[2].content).toEqual([{ type: 'text', text: '[quoted budget: 99 left]' }])
  })

  it('becomes the closing call: no tool may be used, the text comes last, the effort is low', () => {
    const body = { ...AGENT_REQUEST, reasoning_effort: 'high', web_search_options: {} }
    const after = edited({ closing: { text: 'Finish.' } }, body)
    expect(after).toMatchObject({ tools: AGENT_REQUEST.tools, tool_choice: 'none', reasoning_effort: 'low' })
    expect(after).not.toHaveProperty('web_search_options')
    expect(after.messages.at(-1)).toEqual({ role: 'user', content: 'Finish.' })
  })

  it('adds the closing text to a last message of the user', () => {
    const say = (content: unknown) =>
      edited({ closing: { text: 'Finish.' } }, { ...AGENT_REQUEST, messages: [{ role: 'user', content }] }).messages
    expect(say('hi')).toEqual([{ role: 'user', content: 'hi\n\nFinish.' }])
    expect(say([{ type: 'text', text: 'hi' }])[0].content.at(-1)).toEqual({ type: 'text', text: 'Finish.' })
  })

  it('E: leaves out the oldest results, and tools if the upstream refuses them with `none`', () => {
    const after = edited({ closing: { text: 'Finish.', withoutTools: true, resultsLeftOut: 1 } })
    expect(after).not.toHaveProperty('tools')
    expect(after).not.toHaveProperty('tool_choice')
    expect(after.messages[3].content).toContain('left out')
    expect(after.messages[4]).toEqual(AGENT_REQUEST.messages[4])
  })

  it('I9: keeps a forced tool in the closing call, and a forced schema without tools', () => {
    const forced = { ...AGENT_REQUEST, tool_choice: 'required' }
    expect(edited({ closing: { text: 'Finish.' } }, forced).tool_choice).toBe('required')
    const schema = { ...AGENT_REQUEST, response_format: { type: 'json_schema', json_schema: { name: 'x' } } }
    expect(edited({ closing: { text: 'Finish.' } }, schema)).toMatchObject({
      tool_choice: 'none',
      response_format: schema.response_format,
    })
  })

  it('closes functions of the old kind as well', () => {
    const body = { ...AGENT_REQUEST, tools: undefined, functions: [{ name: 'f' }], function_call: 'auto' }
    const after = edited({ closing: { text: 'Finish.' } }, body)
    expect(after.function_call).toBe('none')
    expect(after).not.toHaveProperty('tool_choice')
  })

  it('disables parallel calls, and removes provider-run tools as requested', () => {
    expect(edited({ withoutParallelTools: true }).parallel_tool_calls).toBe(false)
    const body = { ...AGENT_REQUEST, tools: [{ type: 'x_search' }, ...AGENT_REQUEST.tools], web_search_options: {} }
    const gone = new Map([
      [0, null],
      [-1, null],
    ])
    const after = edited({ providerToolUses: gone }, body)
    expect(after.tools).toEqual(AGENT_REQUEST.tools)
    expect(after).not.toHaveProperty('web_search_options')
    const only = { ...AGENT_REQUEST, tools: [{ type: 'x_search' }], tool_choice: 'auto', parallel_tool_calls: true }
    const bare = edited({ providerToolUses: gone, withoutParallelTools: true }, only)
    for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) expect(bare).not.toHaveProperty(field)
  })

  it('accepts all edits together', () => {
    const after = edited({
      maxOutputTokens: 300,
      includeUsage: true,
      promptLine: 'Budget.',
      hints: new Map([['call_b', '[budget: 0 left]']]),
      defused: new Map(),
      withoutParallelTools: true,
      closing: { text: 'Finish.', resultsLeftOut: 1 },
    })
    expect(after.messages.map(({ role }: { role: string }) => role)).toEqual([
      'developer',
      'developer',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(after).toMatchObject({ tool_choice: 'none', parallel_tool_calls: false, max_completion_tokens: 300 })
  })
})
