import { describe, expect, it } from 'vitest'
import type { RequestEdits } from '../../../loop/request-view.ts'
import { editRequest } from './edit-request.ts'
import { readRequest } from './read-request.ts'

const BASE = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
const TOOL = { name: 'read', input_schema: { type: 'object' } }
const SEARCH = { type: 'web_search_20250305', name: 'web_search' }
const CODE = { type: 'code_execution_20250825', name: 'code_execution' }

function edited(more: object, edits: RequestEdits): Record<string, unknown> {
  const body = Buffer.from(JSON.stringify({ ...BASE, ...more }))
  return JSON.parse(editRequest(readRequest(body), edits).toString())
}

const results = (...contents: readonly unknown[]) => ({
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: contents.map((_, index) => ({ type: 'tool_use', id: `c${index}`, name: 'read', input: {} })),
    },
    {
      role: 'user',
      content: contents.map((content, index) => ({ type: 'tool_result', tool_use_id: `c${index}`, content })),
    },
  ],
})
const resultsOf = (body: Record<string, unknown>) =>
  (body.messages as { content: { content: unknown }[] }[])[2]!.content.map(({ content }) => content)

describe('editRequest', () => {
  it('clamps output and thinking, and never switches thinking on or off', () => {
    const thinking = { type: 'enabled', budget_tokens: 31_999 }
    expect(edited({ max_tokens: 32_000, thinking }, { maxOutputTokens: 5_000, thinkingBudget: 3_999 })).toMatchObject({
      max_tokens: 5_000,
      thinking: { type: 'enabled', budget_tokens: 3_999 },
    })
    expect(edited({ thinking: { type: 'adaptive' } }, { thinkingBudget: 1_024 }).thinking).toEqual({ type: 'adaptive' })
    expect(edited({}, { thinkingBudget: 1_024 })).not.toHaveProperty('thinking')
    expect(edited({ max_tokens: undefined }, { maxOutputTokens: 9 }).max_tokens).toBe(9)
  })

  it.each([
    ['no system prompt', undefined, 'Line.'],
    ['none', null, 'Line.'],
    ['an empty one', '', 'Line.'],
    ['a text', 'Be "brief".', 'Be "brief".\n\nLine.'],
    ['no blocks', [], [{ type: 'text', text: 'Line.' }]],
    [
      'blocks with a cache mark',
      [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
      [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Line.' },
      ],
    ],
  ])('F1: puts the prompt line after %s', (_, system, after) => {
    expect(edited({ system }, { promptLine: 'Line.' }).system).toEqual(after)
  })

  it('F2: puts hints under results of every form', () => {
    const hints = new Map(['c0', 'c1', 'c2', 'c3', 'c4'].map((id) => [id, `[${id}]`]))
    const image = { type: 'image', source: { type: 'url', url: 'u' } }
    expect(resultsOf(edited(results('text', '', undefined, [], [image]), { hints }))).toEqual([
      'text\n\n[c0]',
      '[c1]',
      '[c2]',
      [{ type: 'text', text: '[c3]' }],
      [image, { type: 'text', text: '[c4]' }],
    ])
  })

  it('leaves out the oldest results, and keeps a hint in its place', () => {
    const hints = new Map([['c0', '[hint]']])
    const after = resultsOf(edited(results('old', 'new'), { hints, closing: { text: 'Close.', resultsLeftOut: 1 } }))
    expect(after[0]).toMatch(/left out.*\[hint\]$/s)
    expect(after[1]).toBe('new')
  })

  it('bounds provider-run tools, or removes them', () => {
    const uses = new Map([
      [1, 3],
      [2, null],
    ])
    const after = edited({ tools: [TOOL, { ...SEARCH, max_uses: 9 }, CODE] }, { providerToolUses: uses })
    expect(after.tools).toEqual([TOOL, { ...SEARCH, max_uses: 3 }])
    expect(edited({ tools: [TOOL, SEARCH] }, { providerToolUses: new Map([[1, 2]]) }).tools).toEqual([
      TOOL,
      { ...SEARCH, max_uses: 2 },
    ])
  })

  it('removes a tool choice along with its tool, or with the last tool', () => {
    const gone = { providerToolUses: new Map([[0, null]]) }
    const choice = { type: 'tool', name: 'web_search' }
    expect(edited({ tools: [SEARCH, TOOL], tool_choice: choice }, gone)).not.toHaveProperty('tool_choice')
    const none = edited({ tools: [SEARCH], tool_choice: { type: 'auto' } }, gone)
    expect(none).not.toHaveProperty('tools')
    expect(none).not.toHaveProperty('tool_choice')
  })

  it('removes a toolset with its server, and a server without a toolset alone', () => {
    const servers = { mcp_servers: [{ name: 'files' }, { name: 'mail' }] }
    const tools = [{ type: 'mcp_toolset', mcp_server_name: 'files' }, TOOL]
    const both = new Map([
      [0, null],
      [3, null],
    ])
    const after = edited({ tools, ...servers }, { providerToolUses: both })
    expect(after.tools).toEqual([TOOL])
    expect(after).not.toHaveProperty('mcp_servers')
    const one = edited({ tools, ...servers }, { providerToolUses: new Map([[3, null]]) })
    expect(one).toMatchObject({ tools, mcp_servers: [{ name: 'files' }] })
  })

  it('allows one call at a time without changing the tool choice', () => {
    const edits = { withoutParallelTools: true }
    expect(edited({ tools: [TOOL] }, edits).tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(edited({ tools: [TOOL], tool_choice: { type: 'any' } }, edits).tool_choice).toEqual({
      type: 'any',
      disable_parallel_tool_use: true,
    })
    expect(edited({ tools: [TOOL], tool_choice: { type: 'none' } }, edits).tool_choice).toEqual({ type: 'none' })
    expect(edited({}, edits)).not.toHaveProperty('tool_choice')
  })

  it('keeps the tools in the closing call, but none may be used', () => {
    const after = edited({ tools: [TOOL], tool_choice: { type: 'auto' } }, { closing: { text: 'Close.' } })
    expect(after).toMatchObject({ tools: [TOOL], tool_choice: { type: 'none' } })
    expect(edited({}, { closing: { text: 'Close.' } })).not.toHaveProperty('tool_choice')
    const schema = { output_config: { format: { type: 'json_schema', schema: {} } } }
    expect(edited({ tools: [TOOL], ...schema }, { closing: { text: 'Close.' } })).toMatchObject({
      tool_choice: { type: 'none' },
      ...schema,
    })
    const forced = edited({ tools: [TOOL], tool_choice: { type: 'any' } }, { closing: { text: 'Close.' } })
    expect(forced.tool_choice).toEqual({ type: 'any' })
    expect(edited({ output_config: { effort: 'high' } }, { closing: { text: 'Close.' } }).output_config).toEqual({
      effort: 'low',
    })
  })

  it.each([
    [
      'a text',
      [{ role: 'user', content: 'hi "é"' }],
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi "é"' },
          { type: 'text', text: 'Close.' },
        ],
      },
    ],
    ['an empty text', [{ role: 'user', content: '' }], { role: 'user', content: [{ type: 'text', text: 'Close.' }] }],
    [
      'blocks',
      [{ role: 'user', content: [{ type: 'text', text: 'a' }] }],
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'Close.' },
        ],
      },
    ],
    [
      'the model’s own words',
      [{ role: 'assistant', content: 'So' }],
      { role: 'user', content: [{ type: 'text', text: 'Close.' }] },
    ],
    ['no message', [], { role: 'user', content: [{ type: 'text', text: 'Close.' }] }],
  ])('puts the closing text after %s', (_, messages, last) => {
    const after = edited({ messages }, { closing: { text: 'Close.' } }).messages as readonly unknown[]
    expect(after.at(-1)).toEqual(last)
    expect(after).toHaveLength(Math.max(1, messages.length + (messages[0]?.role === 'assistant' ? 1 : 0)))
  })

  it('E5: gives a call without a result one that says it was not run', () => {
    const messages = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] }]
    const after = edited({ messages, tools: [TOOL] }, { closing: { text: 'Close.' } }).messages as {
      content: unknown[]
    }[]
    expect(after[1]!.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c', content: expect.stringMatching(/^Not run/) },
      { type: 'text', text: 'Close.' },
    ])
  })
})
