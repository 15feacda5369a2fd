import { describe, expect, it } from 'vitest'
import { readRequest } from './read-request.ts'

const MINIMAL = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
const read = (more: object = {}) => readRequest(Buffer.from(JSON.stringify({ ...MINIMAL, ...more })))
const TOOL = { name: 'read', input_schema: { type: 'object' } }

describe('readRequest', () => {
  it('reads a small request: no tools, no thinking, no cache', () => {
    expect(read()).toMatchObject({
      model: 'claude-sonnet-4-5',
      isStream: false,
      messages: 1,
      maxOutputTokens: 100,
      thinkingBudget: null,
      cacheMark: 'none',
      priceFactor: null,
      hasTools: false,
      isFormForced: false,
      providerTools: [],
      isServerHeld: false,
      unbounded: [],
      toolResults: [],
    })
  })

  it('D10: reads a request for one token, for none, or without a cap', () => {
    expect(read({ max_tokens: 1 }).maxOutputTokens).toBe(1)
    expect(read({ max_tokens: 0 }).maxOutputTokens).toBe(0)
    expect(read({ max_tokens: undefined }).maxOutputTokens).toBe(null)
  })

  it.each([
    ['model', { model: '' }, /model is ""/],
    ['stream', { stream: 'yes' }, /stream is "yes", but must be true or false/],
    ['messages', { messages: undefined }, /messages is missing/],
    ['messages', { messages: 'hi' }, /messages is "hi"/],
    ['a message', { messages: [1] }, /messages\[0\] is 1/],
    ['a role', { messages: [{ content: 'x' }] }, /messages\[0\]\.role is missing/],
    ['a content', { messages: [{ role: 'user', content: 5 }] }, /messages\[0\]\.content is 5/],
    ['a block', { messages: [{ role: 'user', content: ['x'] }] }, /messages\[0\]\.content\[0\] is "x"/],
    ['system', { system: 7 }, /system is 7/],
    ['tools', { tools: {} }, /tools is an object/],
    ['max_tokens', { max_tokens: '100' }, /max_tokens is "100"/],
    ['max_tokens', { max_tokens: -1 }, /max_tokens is -1/],
    ['max_tokens', { max_tokens: 1.5 }, /max_tokens is 1.5/],
    ['thinking', { thinking: true }, /thinking is true/],
    ['a budget', { thinking: { type: 'enabled' } }, /thinking\.budget_tokens is missing/],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: -5 } }, /budget_tokens is -5/],
    ['tool_choice', { tool_choice: 'any' }, /tool_choice is "any"/],
    ['max_uses', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 'x' }] }, /max_uses is "x"/],
  ])('refuses %s that could be read in two ways, and names it', (_, more, message) => {
    expect(() => read(more)).toThrow(message)
  })

  it('reads thinking with a budget; the amount of adaptive thinking is unknown', () => {
    expect(read({ thinking: { type: 'enabled', budget_tokens: 31_999 } }).thinkingBudget).toBe(31_999)
    expect(read({ thinking: { type: 'adaptive' } }).thinkingBudget).toBe(null)
    expect(read({ thinking: { type: 'disabled' } }).thinkingBudget).toBe(null)
  })

  it('distinguishes client-run and provider-run tools', () => {
    const request = read({
      tools: [
        TOOL,
        { type: 'bash_20250124', name: 'bash' },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
        { type: 'web_fetch_20250910', name: 'web_fetch' },
        { type: 'code_execution_20250825', name: 'code_execution' },
        { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5', max_uses: 2 },
        { type: 'mcp_toolset', mcp_server_name: 'files' },
        { type: 'teleporter_20301231', name: 'teleport' },
      ],
      mcp_servers: [
        { name: 'files', url: 'https://a' },
        { name: 'mail', url: 'https://b' },
      ],
    })
    expect(request.hasTools).toBe(true)
    expect(request.providerTools).toEqual([
      { index: 2, name: 'web_search', maxUses: 5, isBoundable: true, isWebSearch: true },
      { index: 3, name: 'web_fetch', maxUses: null, isBoundable: true, isWebSearch: false, contentTokens: null },
      { index: 4, name: 'code_execution', maxUses: null, isBoundable: false, isWebSearch: false },
      { index: 5, name: 'advisor', maxUses: 2, isBoundable: false, isWebSearch: false },
      { index: 6, name: 'files', maxUses: null, isBoundable: false, isWebSearch: false },
      { index: 7, name: 'teleport', maxUses: null, isBoundable: false, isWebSearch: false },
      { index: 9, name: 'mail', maxUses: null, isBoundable: false, isWebSearch: false },
    ])
    expect(read({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }).hasTools).toBe(false)
    expect(read({ tools: [TOOL], tool_choice: { type: 'none' } }).hasTools).toBe(false)
  })

  it('names the fields that let the provider spend without a bound', () => {
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition: { type: 'advisor_20260301' } } }
    const request = read({
      fallbacks: 'default',
      compaction: { type: 'summarize' },
      context_management: { edits: [{ type: 'compact_20260112' }] },
      messages: [{ role: 'system', content: [added] }],
    })
    expect(request.unbounded).toEqual(['fallbacks', 'compaction', 'context_management', 'messages (tool_addition)'])
    expect(read({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }).unbounded).toEqual([])
  })

  it('detects a format forced by a tool or a schema, in both spellings', () => {
    const format = { type: 'json_schema', schema: {} }
    expect(read({ tools: [TOOL], tool_choice: { type: 'any' } }).isFormForced).toBe(true)
    expect(read({ tools: [TOOL], tool_choice: { type: 'tool', name: 'read' } }).isFormForced).toBe(true)
    expect(read({ tools: [TOOL], tool_choice: { type: 'auto' } }).isFormForced).toBe(false)
    expect(read({ output_config: { format } }).isFormForced).toBe(true)
    expect(read({ output_format: format }).isFormForced).toBe(true)
    expect(read({ output_config: { effort: 'low' } }).isFormForced).toBe(false)
  })

  it.each([
    ['the body', { cache_control: { type: 'ephemeral', ttl: '1h' } }, '1h'],
    ['system', { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] }, '5m'],
    ['a tool', { tools: [{ ...TOOL, cache_control: { type: 'ephemeral', ttl: '5m' } }] }, '5m'],
    [
      'a block',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: { ttl: '1h' } }] }] },
      '1h',
    ],
    [
      'a block inside of a result',
      {
        messages: [
          { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', cache_control: {} }] }] },
        ],
      },
      '5m',
    ],
    ['a lifetime that nobody knows', { cache_control: { type: 'ephemeral', ttl: '1w' } }, '1h'],
  ])('finds the cache mark on %s', (_, more, mark) => {
    expect(read(more).cacheMark).toBe(mark)
  })

  it('reads the options that multiply the price', () => {
    expect(read({ model: 'claude-opus-4-7', speed: 'fast' }).priceFactor).toEqual({ numerator: 6, denominator: 1 })
    expect(read({ model: 'claude-opus-5-5', speed: 'fast' }).priceFactor).toEqual({ numerator: 2, denominator: 1 })
    expect(read({ speed: 'standard', inference_geo: 'us' }).priceFactor).toEqual({ numerator: 11, denominator: 10 })
    expect(read({ inference_geo: 'global', service_tier: 'auto' }).priceFactor).toBe(null)
  })

  it('finds the newest batch of results', () => {
    const result = (tool_use_id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id, content: '' }],
    })
    const messages = [result('old'), { role: 'assistant', content: 'x' }, result('new'), result('newer')]
    const request = read({ messages })
    expect(request.toolResults.map(({ key }) => key)).toEqual(['old', 'new', 'newer'])
    expect(request.newestResults).toBe(2)
  })

  it('reads a conversation stored at the provider as one that continues an earlier answer', () => {
    const request = read({ thread: { type: 'continue', previous_message_id: 'msg_1' } })
    expect(request).toMatchObject({ isServerHeld: true })
  })
})

describe('the prompt in parts', () => {
  const partsOf = (messages: readonly object[], more: object = {}) => read({ messages, ...more }).prompt().parts
  const MARK = { cache_control: { type: 'ephemeral' } }

  it('keeps its digest when a cache mark moves, or a text becomes a block to be marked', () => {
    const plain = partsOf([{ role: 'user', content: 'Fix — "it".' }])[0]!.digest
    const block = { type: 'text', text: 'Fix — "it".' }
    expect(partsOf([{ role: 'user', content: [block] }])[0]!.digest).toBe(plain)
    expect(partsOf([{ role: 'user', content: [{ ...block, ...MARK }] }])[0]!.digest).toBe(plain)
    expect(partsOf([{ role: 'user', content: [{ ...MARK, ...block }] }])[0]!.digest).toBe(plain)
    expect(partsOf([{ role: 'assistant', content: 'Fix — "it".' }])[0]!.digest).not.toBe(plain)
    expect(partsOf([{ role: 'user', content: 'Fix it.' }])[0]!.digest).not.toBe(plain)
    const result = { type: 'tool_result', tool_use_id: 'c', content: 'ok' }
    expect(partsOf([{ role: 'user', content: [result, { ...block, ...MARK }] }])[0]!.digest).toBe(
      partsOf([{ role: 'user', content: [result, block] }])[0]!.digest,
    )
  })

  it('has system, tools and messages in this order, each with the text that the model will read', () => {
    const parts = partsOf(
      [
        { role: 'user', content: 'Fix it.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'tool_use', name: 'read', input: { a: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'ok' }] }] },
      ],
      { system: 'Be brief.', tools: [TOOL] },
    )
    expect(parts.map(({ kind }) => kind)).toEqual(['system', 'tools', 'user', 'assistant', 'user'])
    expect(parts.map((part) => part.text())).toEqual([
      'Be brief.',
      JSON.stringify([TOOL]),
      'Fix it.',
      'Hm.\nread {"a":1}',
      'ok',
    ])
  })

  it('lists media separately from text, and marks unknown sizes', () => {
    const data = 'A'.repeat(4_000)
    const [part] = partsOf([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'document', source: { type: 'url', url: 'https://a/b.pdf' } },
          { type: 'document', source: { type: 'text', data: 'a plain text' }, title: 'Title' },
          { type: 'tool_result', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] },
        ],
      },
    ])
    expect(part!.media).toMatchObject([
      { kind: 'image', bytes: 3_000 },
      { kind: 'document', bytes: null },
      { kind: 'image', bytes: null },
    ])
    expect(part!.bytes).toBeLessThan(600)
    expect(part!.text()).toBe('Title\na plain text')
  })
})
