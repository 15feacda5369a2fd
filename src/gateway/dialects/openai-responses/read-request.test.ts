import { describe, expect, it } from 'vitest'
import { AGENT_REQUEST } from './openai-responses.fixture.ts'
import { readRequest } from './read-request.ts'

const read = (more: object) => readRequest(Buffer.from(JSON.stringify({ ...AGENT_REQUEST, ...more })))

describe('a responses request', () => {
  it('is read as far as limits need', () => {
    expect(read({})).toMatchObject({
      model: 'gpt-5-codex',
      isStream: true,
      messages: 4,
      maxOutputTokens: null,
      choices: 1,
      thinkingBudget: null,
      cacheMark: 'none',
      hasTools: true,
      isFormForced: false,
      providerTools: [],
      isServerHeld: false,
      unbounded: [],
      toolResults: [
        { toolCallId: 'call_a', key: 'call_a' },
        { toolCallId: 'call_b', key: 'call_b' },
      ],
    })
    expect(read({ input: 'hi', max_output_tokens: 50 })).toMatchObject({ messages: 1, maxOutputTokens: 50 })
  })

  it.each([
    [{ model: undefined }, 'model is missing'],
    [{ background: true }, 'background is true'],
    [{ max_output_tokens: 1.5 }, 'max_output_tokens is 1.5'],
    [{ max_tool_calls: -1 }, 'max_tool_calls is -1'],
    [{ input: 5 }, 'input is 5'],
    [{ input: [5] }, 'input[0] is 5'],
    [{ tools: 'all' }, 'tools is "all"'],
    [{ stream: 1 }, 'stream is 1'],
  ])('is refused with the field and the fix: %j', (more, message) => {
    expect(() => read(more)).toThrow(message)
  })

  it.each([
    [{ type: 'function', name: 'f' }, true],
    [{ type: 'custom', name: 'f' }, true],
    [{ type: 'namespace', name: 'n', tools: [] }, true],
    [{ type: 'local_shell' }, true],
    [{ type: 'shell' }, true],
    [{ type: 'shell', environment: { type: 'local' } }, true],
    [{ type: 'shell', environment: { type: 'container_auto' } }, false],
    [{ type: 'apply_patch' }, true],
    [{ type: 'computer' }, true],
    [{ type: 'computer_use_preview', display_width: 1 }, true],
    [{ type: 'tool_search', execution: 'client' }, true],
    [{ type: 'tool_search' }, false],
    [{ type: 'web_search' }, false],
    [{ type: 'mcp', server_label: 's' }, false],
    [{ type: 'code_interpreter', container: { type: 'auto' } }, false],
  ])('determines whether the client runs %j', (tool, isClients) => {
    expect(read({ tools: [tool] }).hasTools).toBe(isClients)
  })

  it('lists provider-run tools, with the one bound over them', () => {
    const tools = [
      { type: 'web_search_preview' },
      { type: 'mcp', server_label: 's' },
      { type: 'image_generation' },
      { type: 'new_thing' },
    ]
    expect(read({ tools, max_tool_calls: 5 }).providerTools).toEqual([
      { index: 0, name: 'web_search_preview', maxUses: 5, isBoundable: true, isBoundTogether: true, isWebSearch: true },
      { index: 1, name: 'mcp', maxUses: 5, isBoundable: true, isBoundTogether: true, isWebSearch: false },
      {
        index: 2,
        name: 'image_generation',
        maxUses: null,
        isBoundable: false,
        isBoundTogether: false,
        isWebSearch: false,
      },
      { index: 3, name: 'new_thing', maxUses: null, isBoundable: false, isBoundTogether: false, isWebSearch: false },
    ])
  })

  it.each([
    [[{ type: 'function', name: 'f' }, { type: 'custom', name: 'c' }, { type: 'apply_patch' }], true],
    [[{ type: 'mcp', server_label: 's' }, { type: 'shell' }, { type: 'web_search_2025_08_26' }], true],
    [[{ type: 'namespace', name: 'n', tools: [] }], undefined],
    [[{ type: 'function', name: 'f', defer_loading: true }], undefined],
    [[{ type: 'tool_search' }], undefined],
    [[{ type: 'computer' }], undefined],
  ])(
    'determines whether a search can be forbidden next to %j: all others must have a name',
    (others, isForbiddable) => {
      const [search] = read({ tools: [{ type: 'web_search' }, ...others] }).providerTools
      expect(search?.isForbiddable).toBe(isForbiddable)
    },
  )

  it.each([
    [{ tool_choice: 'required' }, true, true],
    [{ tool_choice: { type: 'function', name: 'f' } }, true, true],
    [{ tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] } }, true, true],
    [{ tool_choice: { type: 'web_search_preview' } }, false, false],
    [{ text: { format: { type: 'json_schema', name: 'x', schema: {} } } }, true, false],
    [{ text: { verbosity: 'low' } }, false, false],
  ])('detects a forced format: %j', (more, isFormForced, forcesTool) => {
    expect(read(more)).toMatchObject({ isFormForced, forcesTool })
  })

  it('recognizes a conversation stored at the provider', () => {
    expect(read({ previous_response_id: 'resp_0' })).toMatchObject({ isServerHeld: true })
    expect(read({ conversation: { id: 'conv_0' } })).toMatchObject({ isServerHeld: true })
    expect(read({ conversation: 'conv_0', previous_response_id: null }).isServerHeld).toBe(true)
    expect(read({ prompt: { id: 'pmpt_1' } }).unbounded).toEqual(['prompt'])
  })

  it('returns the prompt in parts: instructions, tools, invisible input, items', () => {
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] },
      { type: 'computer_call_output', call_id: 'd', output: { type: 'computer_screenshot', file_id: 'x' } },
      { type: 'item_reference', id: 'msg_0' },
    ]
    const { parts } = read({ input, previous_response_id: 'resp_0', text: { format: { type: 'text' } } }).prompt()
    expect(parts.map(({ kind }) => kind)).toEqual([
      'system',
      'tools',
      'tools',
      'assistant',
      'user',
      'assistant',
      'user',
      'user',
      'assistant',
    ])
    expect(parts.map(({ media }) => media)).toMatchObject([
      [],
      [],
      [],
      [{ kind: 'other', bytes: null }],
      [{ kind: 'image', bytes: 3 }],
      [],
      [{ kind: 'document', bytes: null }],
      [{ kind: 'image', bytes: null }],
      [{ kind: 'other', bytes: null }],
    ])
    expect([parts[0]!.text(), parts[4]!.text(), parts[5]!.text()]).toEqual([
      'You are a careful agent.',
      'what?\n',
      'f {}',
    ])
  })
})
