import { completeUsage } from '../../../pricing/index.ts'
import type { DialectFixture, RecordedAnswer, RequestOptions, SeenAnswer } from '../contract/dialect-fixture.fixture.ts'
import { createEventSplitter } from '../shared/sse/index.ts'
import { anthropicMessages } from './index.ts'
import { USAGE_TABLE } from './usage-table.fixture.ts'

interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

const TOOL = (name: string) => ({
  name,
  description: `The tool "${name}".`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
})

/** A request as an agent sends it in the middle of its work, with results as text and as blocks. */
export function requestBody({ isStream, forcesTool, asksForSchema, results = {} }: RequestOptions): Buffer {
  const { call_1 = 'first result', call_2 = 'second result' } = results
  const format = { type: 'json_schema', schema: { type: 'object' } }
  return Buffer.from(
    JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 32_000,
      system: [
        { type: 'text', text: 'You are an agent.' },
        { type: 'text', text: 'Work — carefully.', cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        { role: 'user', content: 'Fix the tests.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: call_1 },
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: call_2 }] },
          ],
        },
      ],
      tools: [TOOL('read'), TOOL('write')],
      ...(forcesTool ? { tool_choice: { type: 'any' } } : {}),
      ...(asksForSchema ? { output_config: { format } } : {}),
      ...(isStream ? { stream: true } : {}),
    }),
  )
}

const START_USAGE = {
  input_tokens: 12,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4_000,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
  output_tokens: 3,
  service_tier: 'standard',
}

const USAGE = completeUsage({
  inputTokens: 12,
  outputTokens: 87,
  cacheReadTokens: 4_000,
  cacheWriteTokens: 200,
  cacheWrite1hTokens: 100,
})

const MESSAGE = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  stop_sequence: null,
}

function deltasOf(block: Block): readonly object[] {
  const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]
  if (block.type === 'text') return halves(block.text as string).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'thinking') {
    const thoughts = halves(block.thinking as string).map((thinking) => ({ type: 'thinking_delta', thinking }))
    return [...thoughts, { type: 'signature_delta', signature: block.signature }]
  }
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return []
  return ['', ...halves(JSON.stringify(block.input))].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
}

function startOf(block: Block): object {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return 'input' in block ? { ...block, input: {} } : block
}

/** A stream as the provider writes it, with pings and insignificant spaces. */
function streamOf(blocks: readonly Block[], stopReason: string, usage: object = { output_tokens: 87 }): Buffer {
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: START_USAGE } },
  ]
  blocks.forEach((block, index) => {
    events.push({ type: 'content_block_start', index, content_block: startOf(block) })
    if (index === 0) events.push({ type: 'ping' })
    for (const delta of deltasOf(block)) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
  })
  events.push({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage })
  events.push({ type: 'message_stop' })
  return Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${padded(JSON.stringify(event))}\n\n`).join(''))
}

function padded(json: string): string {
  return `${json.slice(0, -1)}${' '.repeat(json.length % 7)}}`
}

function wholeOf(blocks: readonly Block[], stopReason: string): Buffer {
  const usage = { ...START_USAGE, output_tokens: 87 }
  return Buffer.from(JSON.stringify({ ...MESSAGE, content: blocks, stop_reason: stopReason, usage }))
}

const call = (id: string): Block => ({ type: 'tool_use', id, name: 'read', input: { path: `${id} — "é"`, depth: 1 } })
const thinking: Block = { type: 'thinking', thinking: 'I need three files.', signature: 'EqQB…' }

function recorded(name: string, blocks: readonly Block[], stopReason: string): RecordedAnswer {
  return {
    name,
    stream: streamOf(blocks, stopReason),
    whole: wholeOf(blocks, stopReason),
    calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id as string] : [])),
    text: blocks.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    usage: USAGE,
  }
}

const SEARCH: readonly Block[] = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'stint' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
]

export const ANSWERS: readonly RecordedAnswer[] = [
  recorded('a text', [{ type: 'text', text: 'All — done: "3" of 5.' }], 'end_turn'),
  recorded('a text and a call', [{ type: 'text', text: 'I read.' }, call('toolu_1')], 'tool_use'),
  recorded(
    'thinking, a text and three calls',
    [thinking, { type: 'text', text: 'All three.' }, call('toolu_1'), call('toolu_2'), call('toolu_3')],
    'tool_use',
  ),
  recorded('thinking and two calls', [thinking, call('toolu_1'), call('toolu_2')], 'tool_use'),
  recorded('two calls and nothing else', [call('toolu_1'), call('toolu_2')], 'tool_use'),
  recorded('a text between calls', [call('toolu_1'), { type: 'text', text: 'And then.' }, call('toolu_2')], 'tool_use'),
  recorded('a search and a text', [...SEARCH, { type: 'text', text: 'Found.' }], 'end_turn'),
]

const STOPS: Readonly<Record<string, SeenAnswer['stop']>> = { end_turn: 'end', tool_use: 'calls', max_tokens: 'cap' }

interface EventData {
  readonly type: string
  readonly index: number
  readonly content_block?: Block | null
  readonly delta: { readonly text?: string; readonly partial_json?: string; readonly stop_reason?: string }
}

function dataIn(bytes: Buffer): readonly EventData[] {
  return createEventSplitter()
    .push(bytes)
    .flatMap(({ data }) => {
      try {
        return data === null ? [] : [JSON.parse(data)]
      } catch {
        return []
      }
    })
    .filter((event) => typeof event === 'object' && event !== null)
}

/** Assembles a stream as the official client does, and refuses what that would fail on. */
function messageFrom(stream: Buffer): { readonly content: readonly Block[]; readonly stop_reason: string } {
  const content: Record<string, unknown>[] = []
  const open = new Set<number>()
  let stop_reason = ''
  let isEnded = false
  for (const { type, index, content_block, delta } of dataIn(stream)) {
    if (type === 'content_block_start') {
      if (index !== content.length) throw new Error(`block ${index} begins where ${content.length} is next`)
      content.push({ ...content_block })
      open.add(index)
    } else if (type === 'content_block_delta') {
      if (!open.has(index)) throw new Error(`a delta for block ${index}, which is not open`)
      const block = content[index]!
      const { text, partial_json } = delta
      if (text !== undefined) block.text = `${block.text}${text}`
      if (partial_json !== undefined) block.json = `${block.json ?? ''}${partial_json}`
    } else if (type === 'content_block_stop') {
      if (!open.delete(index)) throw new Error(`block ${index} ends, but is not open`)
    } else if (type === 'message_delta') stop_reason = delta.stop_reason ?? ''
    else if (type === 'message_stop') isEnded = true
  }
  if (!isEnded || open.size > 0) throw new Error('the stream has no end')
  for (const block of content) if (typeof block.json === 'string') block.input = JSON.parse(block.json)
  return { content: content as unknown as readonly Block[], stop_reason }
}

function readAnswer(bytes: Buffer, isStream: boolean): SeenAnswer {
  const { content, stop_reason } = isStream ? messageFrom(bytes) : JSON.parse(bytes.toString())
  const blocks = content as readonly Block[]
  if (['thinking', undefined].includes(blocks.at(-1)?.type)) throw new Error('no message may end like this')
  return {
    calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id as string] : [])),
    text: blocks.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    stop: STOPS[stop_reason] ?? 'other',
  }
}

function countCalls(bytes: Buffer, isStream: boolean): number {
  if (isStream) {
    return dataIn(bytes).filter(
      ({ type, content_block }) => type === 'content_block_start' && content_block?.type === 'tool_use',
    ).length
  }
  try {
    const { content } = JSON.parse(bytes.toString()) ?? {}
    return Array.isArray(content) ? content.filter((block) => block?.type === 'tool_use').length : 0
  } catch {
    return 0
  }
}

export const anthropicFixture: DialectFixture = {
  dialect: anthropicMessages,
  requestBody,
  answers: ANSWERS,
  textAnswer: (text) => ({
    stream: streamOf([{ type: 'text', text }], 'end_turn'),
    whole: wholeOf([{ type: 'text', text }], 'end_turn'),
  }),
  readAnswer,
  countCalls,
  usageTable: USAGE_TABLE,
}
