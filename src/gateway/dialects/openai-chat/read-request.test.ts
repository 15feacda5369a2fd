import { describe, expect, it } from 'vitest'
import { AGENT_REQUEST } from './openai-chat.fixture.ts'
import { readRequest } from './read-request.ts'

const read = (more: object, base: object = AGENT_REQUEST) =>
  readRequest(Buffer.from(JSON.stringify({ ...base, ...more })))

describe('a chat request', () => {
  it('is read as far as limits need', () => {
    expect(read({})).toMatchObject({
      model: 'gpt-5-mini',
      isStream: true,
      messages: 4,
      maxOutputTokens: 4096,
      choices: 1,
      thinkingBudget: null,
      cacheMark: 'none',
      priceFactor: null,
      hasTools: true,
      isFormForced: false,
      forcesTool: false,
      providerTools: [],
      isServerHeld: false,
      unbounded: [],
      hidesUsage: true,
      toolResults: [
        { toolCallId: 'call_a', key: 'call_a' },
        { toolCallId: 'call_b', key: 'call_b' },
      ],
    })
  })

  it('uses the larger of two output caps, and null without one', () => {
    expect(read({ max_tokens: 9000 }).maxOutputTokens).toBe(9000)
    expect(read({ max_completion_tokens: null, max_tokens: 7 }).maxOutputTokens).toBe(7)
    expect(read({ max_completion_tokens: undefined }).maxOutputTokens).toBeNull()
  })

  it.each([
    [{ model: undefined }, 'model is missing'],
    [{ model: 5 }, 'model is 5'],
    [{ messages: undefined }, 'messages is missing'],
    [{ messages: 'hi' }, 'messages is "hi"'],
    [{ messages: ['hi'] }, 'messages[0] is "hi"'],
    [{ max_completion_tokens: -1 }, 'max_completion_tokens is -1'],
    [{ max_tokens: '5' }, 'max_tokens is "5"'],
    [{ n: 0 }, 'n is 0'],
    [{ n: 1000 }, 'n is 1000'],
    [{ stream: 'yes' }, 'stream is "yes"'],
    [{ tools: {} }, 'tools is an object'],
  ])('is refused with the field and the fix: %j', (more, message) => {
    expect(() => read(more)).toThrow(message)
  })

  it.each([
    [{ tool_choice: 'required' }, true, true],
    [{ tool_choice: { type: 'function', function: { name: 'read' } } }, true, true],
    [{ tool_choice: { type: 'custom', custom: { name: 'read' } } }, true, true],
    [{ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } }, true, true],
    [{ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } }, false, false],
    [{ tool_choice: 'auto' }, false, false],
    [{ functions: [{ name: 'f' }], function_call: { name: 'f' } }, true, true],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, true, false],
    [{ response_format: { type: 'json_object' } }, true, false],
    [{ response_format: { type: 'text' } }, false, false],
  ])('detects a forced format: %j', (more, isFormForced, forcesTool) => {
    expect(read(more)).toMatchObject({ isFormForced, forcesTool })
  })

  it('distinguishes client-run and provider-run tools', () => {
    expect(read({ tools: [{ type: 'custom', custom: { name: 'sh' } }] })).toMatchObject({
      hasTools: true,
      providerTools: [],
    })
    expect(read({ tools: [] }).hasTools).toBe(false)
    expect(read({ tools: undefined, functions: [{ name: 'f' }] }).hasTools).toBe(true)
    expect(read({ tools: [{ type: 'openrouter:web_search' }] })).toMatchObject({
      hasTools: false,
      providerTools: [
        { index: 0, name: 'openrouter:web_search', maxUses: null, isBoundable: false, isWebSearch: true },
      ],
    })
    expect(read({ web_search_options: {} }).providerTools).toEqual([
      { index: -1, name: 'web_search_options', maxUses: 1, isBoundable: false, isWebSearch: true },
    ])
  })

  it('multiplies the price only by the published factor of a tier', () => {
    expect(read({ service_tier: 'priority' }).priceFactor).toEqual({ numerator: 9, denominator: 5 })
    expect(read({ service_tier: 'priority', model: 'openai/gpt-5.5-2026-04-23' }).priceFactor).toEqual({
      numerator: 5,
      denominator: 2,
    })
    expect(read({ service_tier: 'flex' }).priceFactor).toBeNull()
    expect(read({ service_tier: 'auto' }).priceFactor).toBeNull()
  })

  it('names unbounded fields', () => {
    expect(read({ plugins: [{ id: 'web' }], models: ['a', 'b'], modalities: ['text', 'audio'] }).unbounded).toEqual([
      'plugins',
      'models',
      'modalities',
    ])
  })

  it('returns the prompt in parts: tools, system, messages; media separately from text', () => {
    const image = `data:image/png;base64,${'A'.repeat(400)}`
    const request = read({
      messages: [
        { role: 'system', content: 'S' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what is it?' },
            { type: 'image_url', image_url: { url: image } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
        { role: 'assistant', content: 'a cat', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
        { role: 'function', name: 'f', content: 'old' },
      ],
    })
    const { parts } = request.prompt()
    expect(parts.map(({ kind }) => kind)).toEqual(['tools', 'system', 'user', 'assistant', 'user'])
    expect(parts[2]!.media).toMatchObject([
      { kind: 'image', bytes: 300 },
      { kind: 'image', bytes: null },
      { kind: 'audio', bytes: 3 },
      { kind: 'document', bytes: null },
    ])
    expect(parts[2]!.bytes).toBeLessThan(400)
    expect(parts.map((part) => part.text())).toEqual([
      JSON.stringify(AGENT_REQUEST.tools),
      'S',
      'what is it?\n\n\n\n',
      'a cat\nf {}',
      'old\nf',
    ])
    expect(request.toolResults).toMatchObject([{ toolCallId: 'function:3:f', key: 'function:3:f' }])
  })

  it('keeps the digest of a part when a cache mark moves, and changes it with the text', () => {
    const digest = (content: object) =>
      read({ messages: [{ role: 'user', content: [content] }] }).prompt().parts[1]!.digest
    const plain = digest({ type: 'text', text: 'a' })
    expect(digest({ type: 'text', text: 'a' })).toBe(plain)
    expect(digest({ type: 'text', text: 'b' })).not.toBe(plain)
    const marked = digest({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } })
    expect(digest({ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } })).toBe(marked)
    expect(marked).toBe(plain)
  })

  it('finds the longest cache mark', () => {
    const marked = (ttl?: string) => ({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl } }] }],
    })
    expect(read(marked()).cacheMark).toBe('5m')
    expect(read(marked('1h')).cacheMark).toBe('1h')
  })
})
